/** Who and what there is in the catalog: what the playground offers to pick. */
export type Directory = { readonly accounts: readonly Account[] }

export type Account = {
  readonly id: string
  readonly name: string
  readonly keys: readonly DemoKey[]
  readonly deployments: readonly { readonly id: number; readonly name: string }[]
  readonly users: readonly { readonly id: number; readonly email: string; readonly isAdmin: boolean }[]
  readonly embedTenants: readonly EmbedTenant[]
  readonly groups: readonly string[]
  readonly dashboards: readonly Dashboard[]
}

export type DemoKey = {
  readonly key: string
  /** What the key was called when it was made. */
  readonly name: string
  readonly email: string
  /** Whom it belongs to and how far it reaches, in words. */
  readonly about: string
}

export type EmbedTenant = {
  readonly name: string
  readonly displayName?: string
  readonly externalIds: readonly string[]
  readonly groups: readonly string[]
}

/** A dashboard that has scheduled notifications. */
export type Dashboard = { readonly id: number; readonly publicId: string; readonly title: string }
