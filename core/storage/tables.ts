/**
 * The tables as plain data: keys, indexes and expiry, written once. The deployment, the embedded engine and the tests
 * create what stands here and nothing else.
 */
export type IndexDefinition = {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey?: string
  /** Attributes carried besides the keys. */
  readonly carries: readonly string[]
}

export type TableDefinition = {
  readonly partitionKey: 'pk'
  readonly sortKey?: 'sk'
  readonly indexes: readonly IndexDefinition[]
  /** Attribute with the Unix time, in seconds, after which DynamoDB may delete the item. */
  readonly expiryAttribute?: string
}

export type TableName = 'catalog' | 'sessions' | 'credentials'

const list = (name: string, partitionKey: string, carries: readonly string[]): IndexDefinition => ({
  name,
  partitionKey,
  sortKey: 'order',
  carries,
})

export const tableDefinitions: Record<TableName, TableDefinition> = {
  /** What the lists read: accounts, deployments, embed tenants, folders, workbooks, shares, syncs, notifications. */
  catalog: {
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [
      // One index per share type: with an embed tenant, with all embed users, through a folder. Places end with an id.
      { name: 'byEmbedTenant', partitionKey: 'tenant', sortKey: 'place', carries: [] },
      { name: 'byAllEmbedUsers', partitionKey: 'allEmbedUsers', sortKey: 'place', carries: [] },
      { name: 'byFolder', partitionKey: 'contents', sortKey: 'place', carries: ['folderId', 'document'] },
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
    ],
  },
  /** Embed sessions that wait for their redemption, how they ended, and the revocations of their tokens. */
  sessions: { partitionKey: 'pk', indexes: [], expiryAttribute: 'expiresAt' },
  /** Users with their roles and API keys by hash. */
  credentials: {
    partitionKey: 'pk',
    indexes: [
      { name: 'byEmail', partitionKey: 'email', carries: ['id', 'deleted'] },
      { name: 'byUsername', partitionKey: 'username', carries: ['id', 'deleted'] },
      { name: 'keysByUser', partitionKey: 'keyOwner', carries: [] },
    ],
  },
}

/** Every attribute that is a key of the table or of one of its indexes, each once; all are strings. */
export function keyAttributes(definition: TableDefinition): string[] {
  const keys = [definition, ...definition.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])
  return [...new Set(keys.filter((name) => name !== undefined))]
}
