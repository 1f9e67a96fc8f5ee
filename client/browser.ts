export { ApiError, type ErrorCode, type InputError } from './api-error.ts'
export { sessionFromHost } from './frame.ts'
export { type EmbedSession, type RedeemOptions, redeem } from './redeem.ts'
