export { ApiError, type ErrorCode, type InputError } from './api-error.ts'
export {
  type AccessExplanation,
  type Client,
  type ClientOptions,
  createClient,
  type DbtSync,
  type DryRun,
  type EmbedAccess,
  type EndUsers,
  type Notification,
  type SessionRequest,
  type Workbook,
} from './client.ts'
export type { components, operations, paths } from './contract.ts'
export { type SessionServer, serveSessions, sessionFromHost } from './frame.ts'
export type { Page, PageInfo, Pages } from './pages.ts'
export type { EmbedSession, RedeemOptions } from './redeem.ts'
export {
  createVerifier,
  type EmbedTokenClaims,
  TokenRefused,
  type VerifierOptions,
} from './verifier.ts'
