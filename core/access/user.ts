import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { isLive } from '../storage/batch-get.ts'
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

export async function readUser(
  { client, tables }: Storage,
  accountId: string,
  id: number,
): Promise<User | undefined> {
  const get = new GetCommand({ TableName: tables.credentials, Key: userKey(accountId, id) })
  return userIn((await client.send(get)).Item)
}

/** No user if it was deleted. */
export const userIn = (item: Readonly<Record<string, unknown>> | undefined): User | undefined =>
  isLive(item) ? (item as User) : undefined

/** Without regard to case. Rarely more than one; some users have no name. */
export async function userIds(
  storage: Storage,
  index: 'byEmail' | 'byUsername',
  accountId: string,
  name: string,
) {
  const { items } = await queryIndex(storage, { index, partition: login(accountId, name) })
  return items.map(({ id }) => id as number).sort((a, b) => a - b)
}

/** By user name or e-mail address. */
export async function userIdsByLogin(
  storage: Storage,
  accountId: string,
  name: string,
): Promise<number[]> {
  const indexes = ['byUsername', 'byEmail'] as const
  const found = await Promise.all(indexes.map((index) => userIds(storage, index, accountId, name)))
  return [...new Set(found.flat())]
}
