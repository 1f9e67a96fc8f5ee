import { lowerCase } from '../schema.ts'
import { batchGet, getOne, isLive, keysPerCall } from '../storage/batch-get.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { login, userKey } from './keys.ts'

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

/** No user if it was deleted. */
export const userIn = (item: Readonly<Record<string, unknown>> | undefined): User | undefined =>
  isLive(item) ? (item as User) : undefined

/** What a user is called by, and the index of each. */
const loginIndexes = { email: 'byEmail', username: 'byUsername' } as const

type LoginKind = keyof typeof loginIndexes

/** Whether it is the user's own, without regard to case. Some users have no name. */
const isLoginOf = (user: User, name: string, kind: LoginKind): boolean =>
  lowerCase(user[kind] ?? '') === lowerCase(name)

/** Whom an index names, which may be out of date. Rarely more than one. */
export async function userIdsByLogin(
  storage: Storage,
  accountId: string,
  name: string,
  kind: LoginKind,
): Promise<number[]> {
  const index = loginIndexes[kind]
  const { items } = await queryIndex(
    storage,
    { index, partition: login(accountId, name) },
    keysPerCall,
  )
  return items.map(({ id }) => id as number)
}

/** Those of the users whose name or address it is now, by id. Their items decide, and no index. */
export async function usersNamedNow(
  storage: Storage,
  accountId: string,
  ids: readonly number[],
  name: string,
  kinds: readonly LoginKind[],
): Promise<User[]> {
  const keys = ids.map((id) => userKey(accountId, id))
  const items = await batchGet(storage, keys, { table: 'credentials', consistent: true })
  return [...items.values()]
    .flatMap((item) => userIn(item) ?? [])
    .filter((user) => kinds.some((kind) => isLoginOf(user, name, kind)))
    .sort((a, b) => a.id - b.id)
}

export async function usersByLogin(
  storage: Storage,
  accountId: string,
  name: string,
  kinds: readonly LoginKind[],
): Promise<User[]> {
  const ids = await Promise.all(kinds.map((kind) => userIdsByLogin(storage, accountId, name, kind)))
  return usersNamedNow(storage, accountId, ids.flat(), name, kinds)
}
