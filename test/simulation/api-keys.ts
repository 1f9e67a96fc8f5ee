import { apiKeyKey } from '@embed-access/core/access/keys.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { type Change, put } from '../support/catalog.ts'
import type { Planned } from './plan.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

type Key = { readonly tokenHash: string; readonly accountId?: string; readonly name?: string }

const hashes = ['a', 'b'].map((digit) => digit.repeat(64))

export function apiKeyHistories(random: Random): Planned[][] {
  return hashes
    .filter(() => random.chance(0.4))
    .map((tokenHash) =>
      Array.from({ length: random.between(1, 5) }, (_, order): Planned => {
        const named = { tokenHash, accountId: random.pick([account, 'other']) }
        const gone = {
          ...put('apiKey', random.chance(0.5) ? named : { tokenHash }),
          op: 'delete' as const,
        }
        const key = put('apiKey', { ...named, userId: 1, name: `Key, turn ${order}` })
        const change = { ...(random.chance(0.3) ? gone : key), revision: order }
        return { thing: `apiKey ${tokenHash}`, change, order, counts: true, after: undefined }
      }),
    )
}

/**
 * Whether a valid change may be refused: until the oldest has come, a key may be another account's.
 */
export const mayBeRefused = ({ kind }: Change): boolean => kind === 'apiKey'

/** The account of each API key at the end of a plan, and the key's name if it was not deleted. */
export const apiKeysOf = (plan: readonly Planned[]): Key[] =>
  hashes.map((tokenHash) => {
    const keys = plan
      .filter(({ change }) => (change.data as Key).tokenHash === tokenHash)
      .toSorted((a, b) => a.order - b.order)
      .map(({ change }) => change.data as Key)
    const accountId = keys.find(({ accountId }) => accountId !== undefined)?.accountId
    const newest = keys.findLast(
      (key) => key.accountId === undefined || key.accountId === accountId,
    )
    return {
      tokenHash,
      ...(accountId && { accountId }),
      ...(newest?.name && { name: newest.name }),
    }
  })

/** The same as {@link apiKeysOf}, as the tables have it. */
export const storedApiKeys = (storage: Storage): Promise<Key[]> =>
  Promise.all(
    hashes.map(async (tokenHash) => {
      const { accountId, name } = ((await getItem(storage, 'credentials', apiKeyKey(tokenHash))) ??
        {}) as Partial<Key>
      return { tokenHash, ...(accountId && { accountId }), ...(name && { name }) }
    }),
  )
