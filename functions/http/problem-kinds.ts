import type { RefusalCode } from '@embed-access/core/refusal.ts'

/** Every code that a problem may have. */
export type ProblemCode = RefusalCode | 'database_unavailable' | 'internal_error'

export type ProblemKind = {
  readonly status: number
  readonly title: string
  /** What leads to it, in a sentence or two. */
  readonly cause: string
  /** What a client does about it. */
  readonly remedy: string
  /** For a 503: in how many seconds it makes sense to try again. */
  readonly retryAfter?: number
}

/** How each code looks over HTTP, and what its documentation says: the reference of errors is made from this table. */
export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = {
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    cause:
      'Parameters of the path or query are malformed, empty, given twice, or exclude or lack one another. `errors` names each of them.',
    remedy: 'Correct every parameter that `errors` lists. Leave a filter out rather than sending it empty.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    cause: '`after` is not a cursor that was issued for this very list with these very filters.',
    remedy:
      'Send the `pageInfo.endCursor` of the previous page with the same filters. If the filters have changed, begin again without `after`.',
  },
  invalid_body: {
    status: 400,
    title: 'Invalid body',
    cause:
      'Fields of the body are missing, unknown, of the wrong type, beyond a limit, or need or exclude another field. `errors` has the JSON pointer of each; for an unknown field it suggests the nearest known one.',
    remedy: 'Correct every field that `errors` lists.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    cause: 'The body is empty, is not well-formed JSON, nests too deep, or has a key such as `__proto__`.',
    remedy: 'Send what a JSON library makes of the request, in UTF-8.',
  },
  unknown_name: {
    status: 400,
    title: 'Unknown name',
    cause:
      '`groups`, `tenantGroups` or `internalId` names something that does not exist in the account. `errors` lists all such names. Global groups are never created by a session.',
    remedy:
      'Correct the name, create the global group first, or define the tenant group in `tenantGroupDefinitions` of the same request.',
  },
  context_too_large: {
    status: 400,
    title: 'Context too large',
    cause:
      'The embed token made of this session would not fit in a request header; `detail` has its size and the limit.',
    remedy:
      'Shorten `securityContext`, attributes or profile. With `dryRun=true` the size can be seen without a session.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    cause: 'The credential is missing, malformed, unknown, expired or revoked.',
    remedy: 'Send a valid API key or token in `Authorization`. Do not repeat the request unchanged.',
  },
  invalid_session: {
    status: 401,
    title: 'Invalid session',
    cause:
      'The session id is unknown, expired, revoked or already redeemed. Which of them it is, is not told. A session can be redeemed once, within five minutes.',
    remedy: 'Generate a new session at your backend and redeem that one.',
  },
  admin_required: {
    status: 403,
    title: 'Admin required',
    cause: 'The operation is for users with the role `admin`, and the credential belongs to another user.',
    remedy: 'Use the credential of an admin.',
  },
  deployment_forbidden: {
    status: 403,
    title: 'No access to the deployment',
    cause: 'The user may not read this deployment, or the API key is scoped to others.',
    remedy: 'Use a credential with access to it, or have access granted.',
  },
  embedding_disabled: {
    status: 403,
    title: 'Embedding disabled',
    cause: 'Embedding is not enabled for the account.',
    remedy: 'Have embedding enabled for the account.',
  },
  internal_id_forbidden: {
    status: 403,
    title: 'Internal user not permitted',
    cause:
      '`internalId` names another user than the caller, who is not an admin; or the credential is an embed token, which gives no further session of an internal user.',
    remedy: 'Use an API key or access token: of an admin for others, of anybody for themselves; or `externalId`.',
  },
  definitions_forbidden: {
    status: 403,
    title: 'Definitions not permitted',
    cause:
      '`userAttributeDefinitions` creates or changes definitions that other callers use too. Only an admin may do that, with a credential that is not scoped to deployments. `errors` names the definitions.',
    remedy: 'Send them as they are stored, leave them out, or have an admin define them.',
  },
  deployment_not_found: {
    status: 404,
    title: 'No such deployment',
    cause: 'There is no deployment of this id in the account of the credential.',
    remedy: 'Check the id, and that the credential belongs to the account that has the deployment.',
  },
  embed_tenant_not_found: {
    status: 404,
    title: 'No such embed tenant',
    cause: 'No record and no session of the account has named this embed tenant yet.',
    remedy: 'Check the spelling. An embed tenant comes to exist with the first session that names it.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    cause: 'The body has more than 256 KiB.',
    remedy: 'Send less: definitions can be spread over several sessions, since they are kept.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The body was not sent as `application/json`.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause: 'Something went wrong on our side.',
    remedy: 'Try again later; if it persists, report it with the `requestId`.',
  },
  // Not sooner, since API Gateway may keep the authorizer's answer for that long.
  issuer_unavailable: {
    status: 503,
    title: 'Issuer unavailable',
    retryAfter: 30,
    cause:
      'The issuer of the access token could not be asked for its keys, so the token can be neither accepted nor refused.',
    remedy: 'Try again after `Retry-After` seconds. API keys and embed tokens are not affected.',
  },
  database_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    retryAfter: 1,
    cause: 'The database throttled the request or could not be reached, after retries of ours.',
    remedy: 'Try again after `Retry-After` seconds, and wait longer each time.',
  },
}
