import { mostBodyBytes } from '../functions/http/body.ts'
import { type ProblemCode, problemKinds } from '../functions/http/problem-kinds.ts'
import type { Example } from './described.ts'

type Occurrence = { readonly detail: string; readonly errors?: readonly object[] }

const occurrences: Readonly<Record<ProblemCode, Occurrence>> = {
  invalid_parameter: {
    detail: 'first must be an integer of at least 1, and 1 more problem.',
    errors: [
      { parameter: 'first', message: 'must be an integer of at least 1' },
      { parameter: 'after', message: 'must not be empty' },
    ],
  },
  invalid_cursor: {
    detail: 'The cursor was not issued for this list with these filters.',
    errors: [
      { parameter: 'after', message: 'must be the endCursor of a previous page of this list, with the same filters' },
    ],
  },
  invalid_body: {
    detail: '/userAtributes is not a known field; the nearest one is userAttributes, and 1 more problem.',
    errors: [
      { pointer: '/userAtributes', message: 'is not a known field; the nearest one is userAttributes' },
      { pointer: '/tenantGroups', message: 'needs creatorMode: true' },
    ],
  },
  malformed_json: { detail: 'The body is not well-formed JSON, or nests too deep.' },
  unknown_name: {
    detail: 'Groups of the request do not exist.',
    errors: [{ pointer: '/groups/0', message: 'names no existing group: "finanse"' }],
  },
  context_too_large: {
    detail: 'The embed token would have 9120 bytes; at most 7168 are possible. Shorten the context.',
  },
  unauthenticated: { detail: 'The request lacks a valid credential.' },
  invalid_session: { detail: 'The session id is unknown, expired, revoked or already used.' },
  admin_required: { detail: 'This operation is for admins.' },
  deployment_forbidden: { detail: 'This credential has no read access to the deployment.' },
  embedding_disabled: { detail: 'Embedding is not enabled for this account.' },
  internal_id_forbidden: { detail: 'Only an admin may generate a session for another internal user.' },
  definitions_forbidden: {
    detail:
      'Only an admin whose credential is not scoped to deployments may create or change definitions of user attributes: "region".',
    errors: [{ pointer: '/userAttributeDefinitions/0', message: 'differs from what is stored: "region"' }],
  },
  deployment_not_found: { detail: 'There is no such deployment.' },
  embed_tenant_not_found: { detail: 'There is no such embed tenant.' },
  body_too_large: { detail: `The body must have at most ${mostBodyBytes} bytes.` },
  unsupported_media_type: { detail: 'The body must be sent as application/json.' },
  internal_error: { detail: 'Something went wrong on our side.' },
  issuer_unavailable: { detail: 'The issuer of this access token cannot be reached. Try again shortly.' },
  database_unavailable: { detail: 'The service is busy. Try again shortly.' },
}

export const problemExample = (code: ProblemCode): Example => {
  const { status, title } = problemKinds[code]
  const { detail, errors } = occurrences[code]
  const value = {
    type: `https://api.example.com/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    message: detail,
    requestId: 'a3Fq7XkYiE9LBc0=',
    ...(errors && { errors }),
  }
  return { summary: title, value }
}
