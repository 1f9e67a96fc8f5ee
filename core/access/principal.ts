/** Who is calling: a user of an account, limited by the credential. */
export type Principal = {
  readonly accountId: string
  readonly userId: number
  readonly admin: boolean
  /** The deployments that the user may read, within the scope of the API key or embed token. */
  readonly deploymentIds: 'all' | readonly number[]
  /** Whether the credential opens only some deployments, whatever the user may read: a scoped API key or an embed token. */
  readonly scoped: boolean
  /** The only operations that the API key opens. Left out: all that are open to the user. */
  readonly operations?: readonly string[] | undefined
  readonly credential: Credential
  /** When the credential ends, in seconds since the epoch. */
  readonly expiresAt?: number | undefined
}

/** A credential, as the audit names it. Nothing of it is secret. */
export type Credential =
  /** `key` is the beginning of the hash of the API key, as `npm run keys -- list` shows it. */
  | { readonly kind: 'apiKey'; readonly key: string }
  | ({ readonly kind: 'embedToken' } & EmbedTokenId)
  | { readonly kind: 'accessToken'; readonly jti?: string | undefined }

/** What an embed token can be revoked by, within its account. */
export type EmbedTokenId = {
  readonly jti: string
  readonly deploymentId: number
  /** Tokens of sessions from before this claim lack it. */
  readonly mintedBy?: Minter | undefined
  readonly embedTenantName?: string | undefined
  readonly externalId?: string | undefined
}

/** Who generated a session: a user, by an API key or an access token. */
export type Minter = {
  readonly userId: number
  /** The beginning of the hash of the API key. */
  readonly key?: string | undefined
  /** When, in seconds since the epoch. */
  readonly at: number
}

/** How much of the hash of an API key names it to a person, in characters. */
export const shownHashLength = 12

/** Names the caller as the one who generates a session at this time, in seconds since the epoch. */
export const minterOf = ({ userId, credential }: Principal, at: number): Minter => ({
  userId,
  ...(credential.kind === 'apiKey' && { key: credential.key }),
  at,
})
