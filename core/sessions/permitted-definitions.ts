import type { Principal } from '../access/principal.ts'
import { Refusal } from '../refusal.ts'
import type { Definitions } from './definitions.ts'
import type { GenerateSession } from './request.ts'

/**
 * A default reaches other callers' sessions. So definitions of user attributes are created and changed by admins whose
 * credential opens all deployments; anybody else may send them as they are stored (decisions, "Definitions").
 * @throws Refusal `definitions_forbidden` that names those which would change
 */
export function requirePermittedDefinitions(
  { admin, scoped }: Principal,
  { userAttributeDefinitions = [] }: GenerateSession,
  { changedAttributes }: Definitions,
): void {
  if (changedAttributes.length === 0 || (admin && !scoped)) return
  const names = new Set(changedAttributes.map(({ name }) => name))
  const errors = userAttributeDefinitions.flatMap(({ name }, index) =>
    names.has(name)
      ? [
          {
            pointer: `/userAttributeDefinitions/${index}`,
            message: `differs from what is stored: ${JSON.stringify(name)}`,
          },
        ]
      : [],
  )
  throw new Refusal(
    'definitions_forbidden',
    `Only an admin whose credential is not scoped to deployments may create or change definitions of user attributes: ${[...names].map((name) => JSON.stringify(name)).join(', ')}.`,
    errors,
  )
}
