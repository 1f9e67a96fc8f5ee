import { apiKeyKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/storage/conditional-writes.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { type Change, put } from '../support/catalog.ts'
import type { Planned } from './plan.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

const hashes = ['a', 'b'].map((digit) => digit.repeat(64))
const accounts = [account, 'other']

/** Changes of API keys that name one account or another, or none. */
export function apiKeyHistories(random: Random): Planned[][] {
  return hashes
    .filter(() => random.chance(0.4))
    .map((tokenHash) =>
      Array.from({ length: random.between(1, 5) }, (_, index): Planned => {
        const named = { tokenHash, accountId: random.pick(accounts) }
        const data = { ...named, userId: 1, name: `Key, turn ${index}` }
        const deleted = { ...put('apiKey', random.chance(0.5) ? named : { tokenHash }), op: 'delete' as const }
        const change = { ...(random.chance(0.3) ? deleted : put('apiKey', data)), revision: index }
        return {
          thing: `apiKey ${tokenHash}`,
          change,
          content: undefined,
          order: index,
          counts: true,
          after: undefined,
        }
      }),
    )
}

/** Whether a valid change may be refused: until the oldest has come, a key may be another account's. */
export const mayBeRefused = ({ kind }: Change): boolean => kind === 'apiKey'

/** Whose each API key of a plan is in the end, and its name while it is there. */
export function apiKeysOf(plan: readonly Planned[]): { tokenHash: string; owner?: string; name?: string }[] {
  return hashes.map((tokenHash) => {
    const ofKey = plan
      .filter(({ change }) => (change.data as { tokenHash?: string }).tokenHash === tokenHash)
      .toSorted((a, b) => a.order - b.order)
      .map(({ change }) => ({ ...change, ...(change.data as { accountId?: string; name?: string }) }))
    const owner = ofKey.find(({ accountId }) => accountId !== undefined)?.accountId
    const newest = ofKey.findLast(({ accountId }) => accountId === undefined || accountId === owner)
    return { tokenHash, ...(owner && { owner }), ...(newest?.op !== 'delete' && newest?.name && { name: newest.name }) }
  })
}

/** The same as {@link apiKeysOf}, as the tables have it. */
export function storedApiKeys(storage: Storage): Promise<ReturnType<typeof apiKeysOf>> {
  return Promise.all(
    hashes.map(async (tokenHash) => {
      const item = await read(storage, 'credentials', apiKeyKey(tokenHash))
      const owner = item?.accountId as string | undefined
      const name = item?.name as string | undefined
      return { tokenHash, ...(owner && { owner }), ...(name && { name }) }
    }),
  )
}
