import * as v from 'valibot'
import { combination } from '../schema.ts'
import { RequestFields } from './request-fields.ts'

type Field = keyof RequestFields

/** What a request for an internal user must not have, because that user's own permissions apply. */
const notWithInternalId: readonly Field[] = [
  'groups',
  'tenantGroups',
  'tenantGroupDefinitions',
  'userAttributes',
  'userAttributeDefinitions',
  'securityContext',
  'userProfile',
  'roles',
]

/** The fields that lack another field or exclude one, and what is wrong (docs/specification.md#generate-an-embed-session). */
function* problemsOfCombination(request: RequestFields): Generator<[Field, string]> {
  const given = (field: Field) => request[field] !== undefined
  if (given('internalId')) {
    if (given('externalId')) yield ['internalId', 'must not come together with externalId']
    for (const field of notWithInternalId.filter(given)) yield [field, 'must not come together with internalId']
  }
  for (const field of (['tenantGroups', 'tenantGroupDefinitions'] as const).filter(given)) {
    if (request.creatorMode !== true) yield [field, 'needs creatorMode: true']
    if (!given('embedTenantName')) yield [field, 'needs embedTenantName']
  }
  if (given('embedTenantProfile') && !given('embedTenantName')) yield ['embedTenantProfile', 'needs embedTenantName']
}

/** GenerateSessionDTO of the specification: its fields, and which of them need or exclude each other. */
export const GenerateSession = v.pipe(RequestFields, combination(problemsOfCombination))

export type GenerateSession = RequestFields
