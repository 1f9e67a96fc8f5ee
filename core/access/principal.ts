/** Who is calling: a user of an account, limited by the credential. */
export type Principal = {
  readonly accountId: string
  readonly userId: number
  readonly admin: boolean
  /** The deployments that the user may read, within the scope of the API key or embed token. */
  readonly deploymentIds: 'all' | readonly number[]
  /** Whether the credential opens only some deployments, whatever the user may read: a scoped API key or an embed token. */
  readonly scoped: boolean
  /** Whether the credential is an embed token. It can't make sessions of internal users. */
  readonly embedded?: boolean | undefined
}
