import * as v from 'valibot'
import { boolean, integer, text } from '../schema.ts'

/** The user who generated a session, by an API key or an access token. */
const Minter = v.object({
  userId: integer,
  /** The beginning of the hash of the API key. */
  key: v.optional(text),
  /** When, in seconds since the epoch. */
  at: integer,
})

/** The claims by which an embed token can be revoked, within its account. */
export const EmbedTokenId = v.object({
  jti: text,
  deploymentId: integer,
  /** Left out of tokens that are older than this claim. */
  mintedBy: v.optional(Minter),
  embedTenantName: v.optional(text),
  externalId: v.optional(text),
})

/** A credential, as the audit names it. Nothing in it is secret. */
export const Credential = v.variant('kind', [
  /** `key` is the beginning of the key's hash, as `npx embed-access keys list` shows it. */
  v.object({ kind: v.literal('apiKey'), key: text }),
  v.object({ kind: v.literal('embedToken'), ...EmbedTokenId.entries }),
  v.object({ kind: v.literal('accessToken'), jti: v.optional(text) }),
])

/** Who is calling, and by which credential. The end user of an embed token has no user id. */
export const Caller = v.object({
  accountId: text,
  userId: v.optional(integer),
  credential: Credential,
})

/** The user who is calling, limited by the credential. */
export const Principal = v.object({
  accountId: text,
  userId: integer,
  admin: boolean,
  /** The deployments that the user may read, within the scope of the API key or embed token. */
  deploymentIds: v.union([v.literal('all'), v.pipe(v.array(integer), v.readonly())]),
  /** Whether the credential itself opens only some deployments. */
  scoped: boolean,
  /** The only operations that the API key opens. Left out: all that the user may call. */
  operations: v.optional(v.pipe(v.array(text), v.readonly())),
  credential: Credential,
  /** When the credential ends, in seconds since the epoch. */
  expiresAt: v.optional(v.number()),
})

export type Minter = Readonly<v.InferOutput<typeof Minter>>
export type EmbedTokenId = Readonly<v.InferOutput<typeof EmbedTokenId>>
export type Credential = Readonly<v.InferOutput<typeof Credential>>
export type Caller = Readonly<v.InferOutput<typeof Caller>>
export type Principal = Readonly<v.InferOutput<typeof Principal>>

export const callerOf = ({ accountId, userId, credential }: Principal): Caller => ({
  accountId,
  userId,
  credential,
})

export const isUnlimitedAdmin = ({ admin, scoped, operations }: Principal): boolean =>
  admin && !scoped && !operations

/** How much of the hash of an API key names it to a person, in characters. */
export const shownHashLength = 12

/** @param at in seconds since the epoch */
export const minterOf = ({ userId, credential }: Principal, at: number): Minter => ({
  userId,
  ...(credential.kind === 'apiKey' && { key: credential.key }),
  at,
})
