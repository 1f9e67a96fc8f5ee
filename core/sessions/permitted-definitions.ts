import type { Principal } from '../access/principal.ts'
import { Refusal } from '../refusal.ts'
import type { Definitions } from './definitions.ts'
import type { GenerateSession } from './request.ts'

/**
 * A default reaches other callers' sessions. So definitions of user attributes are created and changed by admins whose
 * credential opens all deployments; anybody else may send them as they are stored (docs/design.md#who-defines).
 * @throws Refusal `definitions_forbidden` that names those which would change
 */
export function requirePermittedDefinitions(
  { admin, scoped }: Principal,
  { userAttributeDefinitions = [] }: GenerateSession,
  { changedAttributes }: Definitions,
): void {
  if (changedAttributes.length === 0 || (admin && !scoped)) return
  const isChanged = (name: string) => changedAttributes.some((definition) => definition.name === name)
  const changed = userAttributeDefinitions.flatMap(({ name }, index) => (isChanged(name) ? [{ name, index }] : []))
  throw new Refusal(
    'definitions_forbidden',
    `Only an admin whose credential is not scoped to deployments may create or change definitions of user attributes: ${changed.map(({ name }) => JSON.stringify(name)).join(', ')}.`,
    changed.map(({ name, index }) => ({
      pointer: `/userAttributeDefinitions/${index}`,
      message: `differs from what is stored: ${JSON.stringify(name)}`,
    })),
  )
}
