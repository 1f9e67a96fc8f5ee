/** Who is calling: a user of an account, by whatever credential, with what that credential leaves them. */
export type Principal = {
  readonly accountId: string
  readonly userId: number
  readonly admin: boolean
  /** Deployments of the account that may be read: what the user may, within the scope of the key or embed token. */
  readonly deploymentIds: 'all' | readonly number[]
  /** Whether the credential opens some deployments only, whatever the user may read: a scoped key, or an embed token. */
  readonly scoped: boolean
  /** Whether the credential is an embed token, which gives no further credentials of a user. */
  readonly embedded?: boolean | undefined
}
