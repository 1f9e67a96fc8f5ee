const readsNothing = 'BatchGetItem catalog #'
const readsNoRevocation = 'BatchGetItem sessions revocation##'
const readsPublicKeys = 'GetItem signingKeys public#keys'
const asksOfToken = [
  'BatchGetItem catalog account##',
  'BatchGetItem credentials user##',
  readsNoRevocation,
  readsPublicKeys,
]

type Expected = {
  /** What it asks of the database while it starts. */
  readonly asks: readonly string[]
  /** The status of its answer where nothing is there. */
  readonly status?: number
  /** The nouns of core in its bundle, besides `sessions` and `storage`, which every operation has parts of. */
  readonly nouns: readonly string[]
  /** The size that its bundle may have. */
  readonly kilobytes: number
}

export const expected: Readonly<Record<string, Expected>> = {
  authorizer: {
    asks: ['BatchGetItem catalog account##', 'BatchGetItem credentials apiKey##', readsNoRevocation, readsPublicKeys],
    nouns: ['access'],
    kilobytes: 248,
  },
  'catalog-sync': {
    asks: [readsNothing],
    nouns: ['access', 'catalog', 'dbt-syncs', 'embed-tenants', 'notifications', 'workbooks'],
    kilobytes: 272,
  },
  'list-embed-tenant-workbooks': {
    asks: [readsNothing, readsNoRevocation],
    status: 404,
    nouns: ['access', 'embed-tenants', 'workbooks'],
    kilobytes: 249,
  },
  'generate-session': {
    asks: ['BatchGetItem catalog account##'],
    status: 404,
    nouns: ['access', 'embed-tenants', 'notifications'],
    kilobytes: 254,
  },
  'exchange-session': { asks: ['GetItem signingKeys private#keys'], status: 401, nouns: ['access'], kilobytes: 251 },
  'revoke-session': { asks: [readsNoRevocation], status: 204, nouns: ['access', 'embed-tenants'], kilobytes: 233 },
  'get-embed-session': { asks: asksOfToken, status: 401, nouns: ['access'], kilobytes: 245 },
  'end-embed-session': { asks: asksOfToken, status: 401, nouns: ['access'], kilobytes: 248 },
  'list-dbt-syncs': {
    asks: [readsNothing, readsNoRevocation],
    status: 404,
    nouns: ['access', 'dbt-syncs'],
    kilobytes: 234,
  },
  'list-notifications': {
    asks: [readsNothing, readsNoRevocation],
    status: 404,
    nouns: ['access', 'embed-tenants', 'notifications'],
    kilobytes: 241,
  },
  'list-workbook-embed-access': {
    asks: [readsNothing, readsNoRevocation],
    status: 404,
    nouns: ['access', 'embed-access', 'embed-tenants', 'workbooks'],
    kilobytes: 240,
  },
  'get-key-set': { asks: [readsPublicKeys], status: 200, nouns: ['access'], kilobytes: 228 },
  'get-spec': { asks: [], status: 200, nouns: ['access'], kilobytes: 157 },
  'get-error-reference': { asks: [], status: 200, nouns: ['access'], kilobytes: 42 },
}
