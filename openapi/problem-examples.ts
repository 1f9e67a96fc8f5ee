import { inputRefusal, type PlainRefusalCode, Refusal } from '@embed-access/core/refusal.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { unknownNames } from '@embed-access/core/sessions/unknown-names.ts'
import { decodeCursor } from '@embed-access/core/storage/cursor.ts'
import * as v from 'valibot'
import type { ErrorCode } from '../functions/http/error-codes.ts'
import { parseInput } from '../functions/http/input.ts'
import { paging } from '../functions/http/list.ts'
import { problemOf } from '../functions/http/problems.ts'
import { bodyTooLarge, whyNotJson } from '../functions/http/unreadable-body.ts'
import { defaultLimits } from '../functions/runtime/environment.ts'
import type { Example } from './operation.ts'

export const requestIdExample = 'a3Fq7XkYiE9LBc0='

/** Errors as the code throws them, so each example has the words of a real answer. */
const errors: Record<Exclude<ErrorCode, PlainRefusalCode>, unknown> = {
  invalid_parameter: thrownBy(() =>
    parseInput({ query: v.object(paging) }, { query: { first: '0', after: '' } }),
  ),
  deployment_not_found: new Refusal('deployment_not_found', 'There is no deployment 1002.'),
  embed_tenant_not_found: new Refusal('embed_tenant_not_found', 'There is no embed tenant brock.'),
  workbook_not_found: new Refusal(
    'workbook_not_found',
    'There is no workbook 12 in deployment 1001.',
  ),
  invalid_cursor: thrownBy(() => decodeCursor(['a list'], 'no cursor')),
  invalid_body: thrownBy(() => {
    const body = {
      deploymentId: 1001,
      embedTenantName: 'alder-oak',
      tenantGroups: ['a'],
      userAtributes: [],
    }
    return parseInput({ body: GenerateSession }, { body })
  }),
  malformed_json: new Refusal(
    'malformed_json',
    whyNotJson('{', (thrownBy(() => JSON.parse('{')) as Error).message),
  ),
  unknown_name: inputRefusal(
    'unknown_name',
    unknownNames([{ pointer: '/groups/0', name: 'finanse' }], 'names no existing group', [
      'finance',
    ]),
  ),
  context_too_large: new Refusal(
    'context_too_large',
    `The embed token would have 9120 bytes; the limit is ${defaultLimits.maxTokenBytes}. ` +
      'Shorten the context.',
  ),
  too_many_embed_tenants: new Refusal(
    'too_many_embed_tenants',
    'The limit of the account is 10000 embed tenants that sessions have named.',
    [
      {
        pointer: '/embedTenantName',
        message: 'names no existing embed tenant, and would be one too many',
      },
    ],
  ),
  definitions_forbidden: new Refusal(
    'definitions_forbidden',
    'Only an admin whose credential is not limited to deployments or operations may ' +
      'create or change definitions of user attributes: "region".',
    [{ pointer: '/userAttributeDefinitions/0', message: 'differs from what is stored: "region"' }],
  ),
  view_as_forbidden: new Refusal('view_as_forbidden', 'This account forbids actors.'),
  body_too_large: bodyTooLarge(),
  internal_error: new Error(),
  database_unavailable: Object.assign(new Error(), { name: 'ThrottlingException' }),
}

function thrownBy(provoke: () => unknown): unknown {
  try {
    provoke()
  } catch (error) {
    return error
  }
  throw new Error('An example of an error must throw one.')
}

export function problemExample(code: ErrorCode): Example {
  const error =
    (errors as Partial<Record<ErrorCode, unknown>>)[code] ?? new Refusal(code as PlainRefusalCode)
  const value = problemOf(error, 'https://api.example.com', requestIdExample)
  return { summary: value.title, value }
}
