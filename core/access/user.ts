import { lowerCase } from '../schema.ts'
import { batchGet, getOne, keysPerCall } from '../storage/batch-get.ts'
import { type Item, isLive } from '../storage/item.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { loginPartition, userKey } from './keys.ts'

export type User = {
  readonly id: number
  readonly accountId: string
  readonly email: string
  readonly username?: string | undefined
  readonly roles: readonly string[]
  readonly deploymentIds: 'all' | readonly number[]
}

export const readUser = async (
  storage: Storage,
  accountId: string,
  id: number,
): Promise<User | undefined> =>
  userIn(await getOne(storage, userKey(accountId, id), { table: 'credentials', consistent: true }))

export const userIn = (item: Item | undefined): User | undefined =>
  isLive(item) ? (item as Item & User) : undefined

const loginIndexes = { email: 'byEmail', username: 'byUsername' } as const

type LoginKind = keyof typeof loginIndexes

/** The ids that an index has for this name, rarely more than one. The index may be out of date. */
export async function userIdsByLogin(
  storage: Storage,
  accountId: string,
  name: string,
  kind: LoginKind,
): Promise<number[]> {
  const range = { index: loginIndexes[kind], partition: loginPartition(accountId, name) }
  const { items } = await queryIndex(storage, range, keysPerCall)
  return items.map(({ id }) => id as number)
}

/** The users who have this name now, by id. Their items decide, and no index. */
export async function usersNamedNow(
  storage: Storage,
  accountId: string,
  ids: readonly number[],
  name: string,
  kinds: readonly LoginKind[],
): Promise<User[]> {
  const meant = lowerCase(name)
  const keys = ids.map((id) => userKey(accountId, id))
  const items = await batchGet(storage, keys, { table: 'credentials', consistent: true })
  return [...items.values()]
    .flatMap((item) => userIn(item) ?? [])
    .filter((user) => kinds.some((kind) => lowerCase(user[kind] ?? '') === meant))
    .sort((a, b) => a.id - b.id)
}

/** @param readAlways ids of users. Their items are read, whatever the index finds. */
export async function usersByLogin(
  storage: Storage,
  accountId: string,
  name: string,
  kinds: readonly LoginKind[],
  readAlways: readonly number[] = [],
): Promise<User[]> {
  const ids = await Promise.all(kinds.map((kind) => userIdsByLogin(storage, accountId, name, kind)))
  return usersNamedNow(storage, accountId, [...readAlways, ...ids.flat()], name, kinds)
}
