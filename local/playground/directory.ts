/** An account with whom its calls may come from. */
export type Account = {
  readonly id: string
  readonly name: string
  readonly users: readonly User[]
  readonly keys: readonly DemoKey[]
}

export type User = {
  readonly id: number
  readonly email: string
  readonly firstName?: string
  readonly isAdmin: boolean
  readonly deploymentIds: 'all' | readonly number[]
}

export type DemoKey = {
  readonly key: string
  /** What the key was called when it was made. */
  readonly name: string
  readonly email: string
  /** Whom it belongs to and how far it reaches, in words. */
  readonly about: string
}

export type AccountThings = {
  readonly deployments: readonly { readonly id: number; readonly name: string }[]
  readonly groups: readonly string[]
}

type EmbedTenant = { readonly name: string; readonly displayName?: string; readonly groups: readonly string[] }

/** What the fields suggest: embed tenants of the account, all else of the deployment. */
export type Things = {
  readonly embedTenants: readonly EmbedTenant[]
  /** Those that receive notifications. The catalog knows no others. */
  readonly endUsers: readonly { readonly embedTenantName: string; readonly externalId: string }[]
  readonly workbooks: readonly { readonly name: string; readonly id: number }[]
  readonly dashboards: readonly { readonly id: number; readonly publicId: string; readonly title: string }[]
  /** Where the next part begins, if there is one. */
  readonly next?: string
}
