import { deploymentKey } from '../access/keys.ts'
import { embedTenantKey, firstNamed } from '../embed-tenants/embed-tenant.ts'
import { batchGet } from '../storage/batch-get.ts'
import { ifUnchanged, newVersion, put } from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { itemId } from '../storage/item.ts'
import { key } from '../storage/keys.ts'
import { memoizedFor } from '../storage/memoized-for.ts'
import { readBeginning } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Writer } from './kind.ts'

/** A writer that remembers this many names forgets all of them. */
const maxRemembered = 100_000

/**
 * How long it remembers a name, in milliseconds. A purge removes the tenants of a deleted account,
 * and the account may come back.
 */
const rememberedMs = 60_000

/** Names an embed tenant. A writer does this once a minute for each name. */
export function nameEmbedTenant(
  { storage, named, now }: Writer,
  deploymentId: number,
  name: string,
): Promise<void> {
  const id = `${deploymentId} ${name}`
  const known = named.get(id)
  if (known) return known(storage)
  if (named.size >= maxRemembered) named.clear()
  const create = (through: Storage) => createAndNote(through, deploymentId, name, now())
  const createOnce = memoizedFor(create, rememberedMs, now)
  named.set(id, createOnce)
  return createOnce(storage)
}

/**
 * An embed tenant exists once a record has named it
 * (docs/specification.md#workbooks-of-an-embed-tenant). A share or recipient names it within a
 * deployment, and the tenant belongs to the deployment's account. That account may not be known
 * yet, or turn out to be another one. So a note in the deployment's partition has the name, and the
 * account in which the tenant was created:
 *
 *   who writes a share or recipient   writes the note, then reads the deployment
 *   who writes a deployment           writes the deployment, then reads the notes
 *
 * If both write at once, at least one sees the other's write, and creates the tenant.
 */
async function createAndNote(
  storage: Storage,
  deploymentId: number,
  name: string,
  now: number,
): Promise<void> {
  const ownKey = deploymentKey(deploymentId)
  const noteKey = { pk: ownKey.pk, sk: key('embedTenant', name) }
  let createdIn: string | undefined
  for (;;) {
    const items = await batchGet(storage, [ownKey, noteKey], { consistent: true })
    // A deleted deployment still names its account.
    const accountId = items.get(itemId(ownKey))?.accountId
    if (accountId !== undefined && accountId !== createdIn)
      await createEmbedTenant(storage, accountId, name, now)
    createdIn = accountId
    const note = items.get(itemId(noteKey))
    if (note && note.accountId === accountId) return
    // The deployment may change before the note is there. So both are read again.
    await put(storage, 'catalog', { ...noteKey, name, accountId }, {})
  }
}

/** Creates the embed tenants that records of a deployment have named and its account lacks. */
export async function createNamedTenants(
  { storage, now }: Writer,
  deploymentId: number,
): Promise<void> {
  const ownKey = deploymentKey(deploymentId)
  const notes = await readBeginning(storage, ownKey.pk, key('embedTenant', ''))
  if (notes.length === 0) return
  const owner = (await getItem(storage, 'catalog', ownKey))?.accountId
  await inParallel(
    notes.filter(({ accountId }) => accountId !== owner),
    ({ name }) => createAndNote(storage, deploymentId, String(name), now()),
  )
}

/** Creates an embed tenant, unless it is there. A deleted tenant stays deleted. */
export async function createEmbedTenant(
  storage: Storage,
  accountId: string,
  name: string,
  now: number,
): Promise<void> {
  const item = {
    ...embedTenantKey(accountId, name),
    ...firstNamed(accountId, name, now),
    kind: 'embedTenant',
    accountId,
    name,
    version: newVersion(),
  }
  await put(storage, 'catalog', item, ifUnchanged(undefined))
}
