/**
 * Why the service refuses, in codes that clients may rely on. How each one looks over HTTP (status, title) is decided
 * in `functions/http/problem.ts`.
 */
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
  | 'definitions_forbidden'
  | 'deployment_not_found'
  | 'embed_tenant_not_found'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'issuer_unavailable'

/** One thing wrong with the input: `pointer` (RFC 6901) for a field of the body, `parameter` for the path or query. */
export type InputError =
  | { readonly pointer: string; readonly message: string }
  | { readonly parameter: string; readonly message: string }

/** An answer that says no and may be shown to the caller as it stands. Every other error is a fault of ours. */
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
