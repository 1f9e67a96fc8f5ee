const messages = {
  unauthenticated: 'The request lacks a valid credential.',
  issuer_unavailable: 'The issuer of this access token gives no usable keys. Try again shortly.',
  admin_required: 'This operation is for admins.',
  operation_not_allowed: 'This API key is limited to other operations.',
  api_key_in_browser: 'An API key belongs to a backend. This one comes from a web page: revoke it.',
  end_user: 'An embed token, which is in an end user’s browser, does not open this operation.',
  deployment_forbidden: 'This credential has no read access to the deployment.',
  embedding_disabled: 'Embedding is not enabled for this account.',
  external_user_required: 'Only an end user has this list. An internal user has none.',
  internal_id_forbidden: 'Only an admin may generate a session for another internal user.',
  invalid_session: 'The session id is unknown, expired, revoked or already used.',
  answer_lost: 'No such session is left, and this request got no token. Ask for a new session.',
  unsupported_media_type: 'The body must be sent as application/json.',
}

export type PlainRefusalCode = keyof typeof messages

/**
 * Why the service refuses a request. Clients may rely on these codes.
 * `functions/http/error-codes.ts` says the status and `Retry-After` of each.
 */
export type RefusalCode =
  | PlainRefusalCode
  | 'deployment_not_found'
  | 'embed_tenant_not_found'
  | 'workbook_not_found'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_body'
  | 'malformed_json'
  | 'unknown_name'
  | 'context_too_large'
  | 'too_many_embed_tenants'
  | 'definitions_forbidden'
  | 'view_as_forbidden'
  | 'body_too_large'

/** A mistake in a field of the body (`pointer`, RFC 6901), or in a parameter of path or query. */
export type InputError =
  | { readonly pointer: string; readonly message: string }
  | { readonly parameter: string; readonly message: string }

/** An error that the caller may see. Every other error is a fault of the service. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly errors: readonly InputError[]

  constructor(code: PlainRefusalCode)
  constructor(code: RefusalCode, message: string, errors?: readonly InputError[])
  constructor(code: RefusalCode, message?: string, errors: readonly InputError[] = []) {
    super(message ?? messages[code as PlainRefusalCode])
    this.name = 'Refusal'
    this.code = code
    this.errors = errors
  }
}

/** A refusal whose message says the first of these errors, and how many more there are. */
export function inputRefusal(
  code: RefusalCode,
  errors: readonly InputError[],
  count = errors.length,
): Refusal {
  const [first] = errors
  const field = first && ('pointer' in first ? first.pointer || 'The body' : first.parameter)
  const others = count - 1
  const andOthers = others === 0 ? '' : `, and ${others} more problem${others > 1 ? 's' : ''}`
  return new Refusal(code, `${field} ${first?.message}${andOthers}.`, errors)
}
