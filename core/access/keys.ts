import { hash } from 'node:crypto'
import { lowerCase } from '../schema.ts'
import { key, ownKey } from '../storage/keys.ts'

export const userKey = (accountId: string, id: number) => ({ pk: key('user', accountId, id) })

export const apiKeyKey = (tokenHash: string) => ({ pk: key('apiKey', tokenHash) })

/** The item that says when an API key was last used. */
export const apiKeyUseKey = (tokenHash: string) => ({ pk: key('lastUse', tokenHash) })

export const hashOfApiKey = (token: string): string => hash('sha256', token, 'hex')

/** The partition of a user in `byEmail` or `byUsername`, in lower case. */
export const loginPartition = (accountId: string, name: string): string =>
  key(accountId, lowerCase(name))

/** The partition of `keysByUser` that has a user's API keys. */
export const keyOwner = (accountId: string, userId: number): string => key(accountId, userId)

/** The partition of `byIssuerAndAudience`: a hash, since both may be too long for a key. */
export const issuerAndAudience = (oidc: {
  readonly issuer: string
  readonly audience: string
}): string => hash('sha256', key(oidc.issuer, oidc.audience), 'hex')

export const accountKey = (id: string) => ownKey('account', id)
export const deploymentKey = (id: number) => ownKey('deployment', id)

/** The partition of `byDeployment` that lists an account's deployments. */
export const deploymentsOf = (accountId: string): string => key('account', accountId, 'deployments')
