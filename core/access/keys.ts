import { hash } from 'node:crypto'
import { lowerCase } from '../schema.ts'
import { key, ownSortKey } from '../storage/keys.ts'

export const userKey = (accountId: string, id: number) => ({ pk: key('user', accountId, id) })

/** By the SHA-256 of the whole key, in lower-case hex; the key itself is stored nowhere. */
export const apiKeyKey = (tokenHash: string) => ({ pk: key('apiKey', tokenHash) })

/** Where it stands when an API key was last used. */
export const apiKeyUseKey = (tokenHash: string) => ({ pk: key('lastUse', tokenHash) })

export const hashOfApiKey = (token: string): string => hash('sha256', token, 'hex')

/** Partitions of the indexes `byEmail` and `byUsername`: both compare in lower case. */
export const login = (accountId: string, name: string): string => key(accountId, lowerCase(name))

export const keyOwner = (accountId: string, userId: number): string => key(accountId, userId)

export const accountKey = (id: string) => ({ pk: key('account', id), sk: ownSortKey })
export const deploymentKey = (id: number) => ({ pk: key('deployment', id), sk: ownSortKey })

/** Partition of `byDeployment` that lists an account's deployments. */
export const deploymentsOf = (accountId: string): string => key('account', accountId, 'deployments')
