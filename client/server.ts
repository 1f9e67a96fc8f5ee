export { ApiError, type ErrorCode, type InputError } from './api-error.ts'
export {
  type AccessExplanation,
  type CallSettings,
  type Client,
  type ClientOptions,
  createClient,
  type DbtSync,
  type DryRun,
  type EmbedAccess,
  type EmbedTenant,
  type Notification,
  type Revoked,
  type SessionRequest,
  type Workbook,
} from './client.ts'
export type { components, operations, paths } from './contract.ts'
export type { Page, PageInfo, Pages } from './pages.ts'
