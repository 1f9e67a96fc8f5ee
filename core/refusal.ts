/** Why the service refuses a request: stable codes that clients may rely on. They have no HTTP status here. */
export type RefusalCode =
  | 'unauthenticated'
  | 'admin_required'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_body'
  | 'malformed_json'
  | 'unknown_name'
  | 'context_too_large'
  | 'invalid_session'
  | 'deployment_forbidden'
  | 'embedding_disabled'
  | 'internal_id_forbidden'
  | 'deployment_not_found'
  | 'embed_tenant_not_found'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'issuer_unavailable'

/** One mistake in the input: `pointer` (RFC 6901) names a field of the body, `parameter` one of the path or query. */
export type InputError =
  | { readonly pointer: string; readonly message: string }
  | { readonly parameter: string; readonly message: string }

/** An error that the caller may see as it is. Every other error is a fault of the service. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly errors: readonly InputError[]

  constructor(code: RefusalCode, message: string, errors: readonly InputError[] = []) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.errors = errors
  }
}
