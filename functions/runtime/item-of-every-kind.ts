const text = (S: string) => ({ S })
const zero = { N: '0' }

/**
 * An item with the attributes of every kind, in DynamoDB's JSON. Warm-ups read it. No account has
 * an empty id.
 */
export const itemOfEveryKind: Readonly<Record<string, object>> = {
  accountId: text(''),
  deploymentId: zero,
  userId: zero,
  id: zero,
  name: text(''),
  roles: { L: [text('admin')] },
  tokenHash: text(''),
  embeddingEnabled: { BOOL: true },
  // `{"id":0}` deflated, as `pack` does it.
  document: { B: 'q1bKTFGyMqgFAA==' },
  context: text('{"accountId":"","deploymentId":0}'),
  order: text('0'),
  shared: text('fa0'),
  folderId: zero,
  parentId: { NULL: true },
  folderEntry: text('a0a0'),
  treeEntry: text('wa0'),
}

const { parentId: _, ...entry } = itemOfEveryKind

/** The same item in an index. A folder without a parent is in none. */
export const entryOfEveryKind = { ...entry, pk: text('0#thing#0'), sk: text('record') }
