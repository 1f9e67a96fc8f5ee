export type IndexDefinition = {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey?: string
  /** The attributes that the index has besides the keys, or all. */
  readonly carries: readonly string[] | 'all'
}

export type TableDefinition = {
  readonly partitionKey: 'pk'
  readonly sortKey?: 'sk'
  readonly indexes: readonly IndexDefinition[]
  /** The attribute with the time after which DynamoDB deletes the item, in seconds. */
  readonly expiryAttribute?: string
}

export const tableNames = ['catalog', 'sessions', 'credentials', 'signingKeys'] as const

export type TableName = (typeof tableNames)[number]

const list = (name: string, partitionKey: string, carries: readonly string[]) =>
  ({ name, partitionKey, sortKey: 'order', carries }) satisfies IndexDefinition

/** The tables (docs/design.md#the-data-model), as each deployment, engine and test creates them. */
export const tableDefinitions: Record<TableName, TableDefinition> = {
  catalog: {
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [
      // These carry only keys, so only a change of their keys writes them.
      { name: 'byEmbedTenant', partitionKey: 'tenant', sortKey: 'shared', carries: [] },
      { name: 'byAllEmbedUsers', partitionKey: 'allEmbedUsers', sortKey: 'shared', carries: [] },
      { name: 'byFolder', partitionKey: 'contents', sortKey: 'folderEntry', carries: [] },
      // The folders that have a parent, and the workbooks whose documents are large.
      { name: 'folderTree', partitionKey: 'tree', sortKey: 'treeEntry', carries: ['parentId'] },
      { name: 'byPublicId', partitionKey: 'publicId', carries: ['dashboardId'] },
      // The accounts that accept access tokens of an issuer for an audience.
      { name: 'byIssuerAndAudience', partitionKey: 'issuerAndAudience', carries: [] },
      list('byDeployment', 'deploymentList', ['document']),
      list('byStatus', 'statusList', ['document']),
      list('byTrigger', 'triggerList', ['document']),
      list('byStatusAndTrigger', 'statusAndTriggerList', ['document']),
      list('byDashboard', 'dashboardList', ['document']),
      list('byRecipient', 'recipientList', []),
      list('byRecipientAndDashboard', 'recipientAndDashboardList', []),
      list('byAccount', 'embedTenantList', []),
    ],
    expiryAttribute: 'tombstoneExpiresAt',
  },
  /** Embed sessions that wait for redemption, how sessions ended, and revocations of tokens. */
  sessions: {
    partitionKey: 'pk',
    indexes: [
      // It carries all attributes, because the names of some contain the id of a deployment.
      {
        name: 'revocationsInForce',
        partitionKey: 'revocationList',
        sortKey: 'revocationEnd',
        carries: 'all',
      },
    ],
    expiryAttribute: 'expiresAt',
  },
  /** Users with their roles, API keys by their hash, and when each key was last used. */
  credentials: {
    partitionKey: 'pk',
    indexes: [
      { name: 'byEmail', partitionKey: 'emailLogin', carries: ['id'] },
      { name: 'byUsername', partitionKey: 'usernameLogin', carries: ['id'] },
      { name: 'keysByUser', partitionKey: 'keyOwner', carries: [] },
    ],
    expiryAttribute: 'tombstoneExpiresAt',
  },
  /** The private and the public key set. A command makes this table, and no deployment does. */
  signingKeys: { partitionKey: 'pk', indexes: [] },
}

/** The attributes in the keys of a table and of its indexes. All are strings. */
export function keyAttributes(definition: TableDefinition): string[] {
  const keys = [definition, ...definition.indexes].flatMap(({ partitionKey, sortKey }) => [
    partitionKey,
    sortKey,
  ])
  return [...new Set(keys.filter((name) => name !== undefined))]
}
