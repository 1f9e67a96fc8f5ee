import { isUnlimitedAdmin, type Principal } from '../access/principal.ts'
import { Refusal } from '../refusal.ts'
import type { Item } from '../storage/item.ts'

/** The longest lifetime of the token of a session with an `actor`. */
export const maxActorTokenSeconds = 30 * 60

/**
 * A session with an `actor` shows somebody what an end user sees. So it takes an admin with an
 * unlimited credential, in an account that allows it (docs/api.md#view-as-an-end-user).
 * @throws Refusal `view_as_forbidden`
 */
export function requireMayViewAs(principal: Principal, { viewAs }: Item): void {
  if (viewAs === false) throw new Refusal('view_as_forbidden', 'This account forbids actors.')
  if (isUnlimitedAdmin(principal)) return
  throw new Refusal(
    'view_as_forbidden',
    'Only an admin whose credential is not limited to deployments or operations may name an actor.',
  )
}
