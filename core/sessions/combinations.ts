import type { GenerateSession } from './request.ts'

type Field = keyof GenerateSession

/** What a session for an internal user must not bring: that user's own permissions count. */
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

/** Fields that lack another one or exclude it (decisions, "Generate session"), with what is wrong. */
export function* problemsOfCombination(request: GenerateSession): Generator<[Field, string]> {
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
