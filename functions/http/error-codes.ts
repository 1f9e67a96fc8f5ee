import type { RefusalCode } from '@embed-access/core/refusal.ts'
import { authorizerCacheSeconds } from './authorization.ts'
import { maxBodyBytes } from './unreadable-body.ts'

export type ErrorCode = RefusalCode | 'database_unavailable' | 'internal_error'

type CodeDescription = Status & {
  readonly title: string
  readonly cause: string
  readonly remedy: string
}

/**
 * Clients send a request again after a 503, so it says when, in seconds. No function answers 429:
 * every 429 in the access log counts as a request over API Gateway's limits.
 */
type Status =
  | { readonly status: 503; readonly retryAfter: number }
  | { readonly status: 400 | 401 | 403 | 404 | 413 | 415 | 500; readonly retryAfter?: undefined }

/**
 * How each code looks over HTTP, and what its documentation says: the reference of errors is made
 * from this table.
 */
export const errorCodes: Readonly<Record<ErrorCode, CodeDescription>> = {
  invalid_body: {
    status: 400,
    title: 'Invalid body',
    cause:
      'A field of the body is missing, unknown, of the wrong type or beyond a limit, must ' +
      'not be combined with another, or needs another. `errors` has the JSON pointer of ' +
      'each one. For an unknown field it suggests the nearest known one.',
    remedy: 'Correct every field that `errors` lists.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    cause:
      'The body is empty, is not well-formed JSON, is nested too deep, or has a key such ' +
      'as `__proto__` at some depth, in `groupDefinitions` too. If it is not well-formed, ' +
      '`detail` has the line and column of the mistake.',
    remedy: 'Let a JSON library write the body, in UTF-8.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    cause:
      'A parameter of the path or query is malformed, empty, misspelt or given twice, must ' +
      'not be combined with another, needs another, or names several users or dashboards. ' +
      '`errors` names each one.',
    remedy:
      'Correct all that `errors` lists, in the body too. Leave a filter out rather than sending ' +
      'it empty.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    cause: '`after` is not a cursor of this list with these filters.',
    remedy:
      'Send the `pageInfo.endCursor` of the previous page with the same filters. If the ' +
      'filters have changed, begin again without `after`.',
  },
  unknown_name: {
    status: 400,
    title: 'Unknown name',
    cause:
      '`groups`, `tenantGroups` or `internalId` names something that does not exist in the ' +
      'account, or `internalId` fits several users. Or `embedTenantName` is new, and this ' +
      'session may create none: it has an `actor`, or the account takes embed tenants from the ' +
      'catalog only. `errors` lists all such names. No session creates a global group.',
    remedy:
      'Correct the name, create the global group or the embed tenant first, or define the tenant ' +
      'group in `tenantGroupDefinitions` of the same request.',
  },
  context_too_large: {
    status: 400,
    title: 'Context too large',
    cause:
      'The embed token of this session would not fit in a request header. `detail` has its ' +
      'size and the limit.',
    remedy:
      'Shorten `securityContext`, attributes or profile. `dryRun=true` shows the size ' +
      'without making a session.',
  },
  too_many_embed_tenants: {
    status: 400,
    title: 'Too many embed tenants',
    cause:
      '`embedTenantName` names a new embed tenant, but sessions have already named as many as ' +
      'the account may have. Sessions of known tenants can still be generated.',
    remedy:
      'Check the name. Delete embed tenants that nobody needs, or raise `maxEmbedTenants` ' +
      'of the account, in the catalog.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    cause: 'The credential is missing, malformed, unknown, expired or revoked.',
    remedy:
      'Send a valid API key or token in `Authorization`. Do not repeat the request unchanged.',
  },
  invalid_session: {
    status: 401,
    title: 'Invalid session',
    cause:
      'The session id is unknown, expired, revoked or already redeemed. The answer does ' +
      'not say which. A session can be redeemed once, within five minutes.',
    remedy: 'Generate a new session at your backend, and redeem it.',
  },
  answer_lost: {
    status: 401,
    title: 'Answer lost',
    cause:
      'The database did not answer an attempt to redeem the session, and at the next attempt ' +
      'there was no session. This request got no token. If the first attempt took the session, ' +
      'nobody has its token. If not, another request may have redeemed the session, or there ' +
      'was never such a session.',
    remedy:
      'Generate a new session at your backend and redeem that one. The same session id ' +
      'never gives another token. If somebody else may know it, revoke it, which also ends ' +
      'a token that was issued for it.',
  },
  admin_required: {
    status: 403,
    title: 'Admin required',
    cause:
      'The credential belongs to a user without the role `admin`. Only admins may call this ' +
      'operation, revoke by `embedTenantName` or with an embed token, or, in an account with ' +
      '`onlyAdminsMint`, generate sessions.',
    remedy: 'Use the credential of an admin.',
  },
  end_user: {
    status: 403,
    title: 'End user',
    cause:
      'The credential is an embed token. The token of an external user opens only ' +
      '`/api/v1/embed/session` and `/api/v1/embed/workbooks`. The token of an internal user ' +
      'generates no sessions: it is in a browser, and could widen and renew itself.',
    remedy: 'Call the operation from your backend, with an API key or access token.',
  },
  api_key_in_browser: {
    status: 403,
    title: 'API key in a browser',
    cause:
      'The request has an API key, and an `Origin` that is not the service’s own. So a web ' +
      'page has the key, and whoever opens the page can read it.',
    remedy:
      'Revoke the key, and give your backend another one. A page gets a session id from your ' +
      'backend, and redeems it for an embed token.',
  },
  operation_not_allowed: {
    status: 403,
    title: 'Operation not permitted',
    cause: 'The API key is limited to some operations, and this is not among them.',
    remedy:
      'Use a key that may call it. `npx embed-access keys list` shows what each key may call.',
  },
  deployment_forbidden: {
    status: 403,
    title: 'No access to the deployment',
    cause:
      'The user may not read this deployment, or the credential is scoped to others. A scoped ' +
      'credential does not list the embed tenants of the account either.',
    remedy: 'Use a credential with access to it, or ask an admin for access.',
  },
  embedding_disabled: {
    status: 403,
    title: 'Embedding disabled',
    cause: 'Embedding is not enabled for the account.',
    remedy: 'Ask for embedding to be enabled for the account.',
  },
  external_user_required: {
    status: 403,
    title: 'External user required',
    cause:
      'The embed token belongs to an internal user. This list is for end users of a host ' +
      'application.',
    remedy: 'Use the token of a session without `internalId`, or the list for admins.',
  },
  internal_id_forbidden: {
    status: 403,
    title: 'Internal user not permitted',
    cause:
      '`internalId` names another user, and the caller is not an admin. Or the API key is ' +
      'limited to some operations: the token of an internal user could do what the key cannot.',
    remedy:
      'Use the credential of an admin for another user, your own for yourself, and a key ' +
      'that is not limited. Or use `externalId`.',
  },
  definitions_forbidden: {
    status: 403,
    title: 'Definitions not permitted',
    cause:
      '`userAttributeDefinitions` creates or changes definitions that other callers use ' +
      'too. Only an admin may do that, with a credential that is not limited to ' +
      'deployments or operations. `errors` names the definitions.',
    remedy: 'Send them as they are stored, leave them out, or have an admin define them.',
  },
  view_as_forbidden: {
    status: 403,
    title: 'Actor not permitted',
    cause:
      'The request names an `actor`. Only an admin may do that, with a credential that is not ' +
      'limited to deployments or operations, and the account may forbid it (`viewAs`).',
    remedy: "Use an admin's unlimited API key, or leave `actor` out.",
  },
  deployment_not_found: {
    status: 404,
    title: 'No such deployment',
    cause: 'The account of the credential has no deployment with this id.',
    remedy: 'Check the id, and check that the credential belongs to the account of the deployment.',
  },
  embed_tenant_not_found: {
    status: 404,
    title: 'No such embed tenant',
    cause: 'Nothing in the account has named this embed tenant, or it was deleted.',
    remedy:
      'Check the spelling. The first session that names an embed tenant creates it, unless the ' +
      'account takes embed tenants from the catalog only.',
  },
  workbook_not_found: {
    status: 404,
    title: 'No such workbook',
    cause:
      'The workbook is unknown, was deleted, or belongs to another deployment. The answer ' +
      'is the same for all three.',
    remedy: 'Check the ids.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    cause: `The body has more than ${maxBodyBytes / 1024} KiB.`,
    remedy: 'Send less. Definitions are kept, so several sessions can each send some of them.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The body was not sent as `application/json`, or it is compressed.',
    remedy: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause: 'Something went wrong on our side.',
    remedy: 'If the error happens again, report it with the `requestId`.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'Issuer unavailable',
    // API Gateway may give the same answer until then.
    retryAfter: authorizerCacheSeconds,
    cause:
      'The service could not get the keys of the issuer of the access token, so it can ' +
      'neither accept nor refuse the token.',
    remedy: 'Try again after `Retry-After` seconds. API keys and embed tokens are not affected.',
  },
  database_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    retryAfter: 1,
    cause: 'The database throttled the request or could not be reached, even after retries.',
    remedy:
      'Try again after `Retry-After` seconds, and wait longer each time. For a redemption, ' +
      'generate a new session.',
  },
}
