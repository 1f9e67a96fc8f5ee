import type { OperationId } from '../../functions/operations/operations.ts'

/** A GET, or a POST if it has a body. */
export type Request = readonly [path: string, body?: object]

const listsOf = (name: string, ...queries: readonly string[]): Request[] => [
  ...queries.map((query): Request => [`/api/v1/deployments/1001/${name}?${query}`]),
  ...[1002, 2001, 4242].map((id): Request => [`/api/v1/deployments/${id}/${name}`]),
]

const tenants =
  'alder-oak brightwater casa-lumen fjordhus nimbus-outfitters quillfield made-by-a-session'.split(
    ' ',
  )

/** What is asked of each operation over the demo catalog. One without requests does not compile. */
export const requests: Readonly<Record<OperationId, readonly Request[]>> = {
  'list-embed-tenant-workbooks': tenants.flatMap((tenant) =>
    listsOf(
      `embed-tenants/${tenant}/workbooks`,
      'include=accessSources&first=200',
      'accessSource=tenant',
      'accessSource=allEmbedUsers&first=3',
      'accessSource=folder',
    ),
  ),
  'list-dbt-syncs': listsOf(
    'dbt-sync',
    '',
    'first=7',
    'status=FAILED',
    'trigger=webhook',
    'status=FAILED&trigger=api',
  ),
  'list-notifications': listsOf(
    'notifications',
    '',
    'first=7',
    'recipientUserId=1',
    'recipientEmail=ines.carvalho@harborline.example',
    'recipientEmbedTenantName=alder-oak&recipientExternalId=user-1',
    'dashboardId=35166',
  ),
  'list-workbook-embed-tenants': [5179, 5154, 5001, 4242].flatMap((id) =>
    listsOf(`workbooks/${id}/embed-tenants`, '', 'first=1', 'embedTenantName=alder-oak'),
  ),
  'list-embed-tenants': ['', 'first=2', ...tenants.map((name) => `search=${name.slice(0, 3)}`)].map(
    (query): Request => [`/api/v1/embed-tenants?${query}`],
  ),
  'generate-session': [
    ...tenants.map((embedTenantName) => ({ embedTenantName, externalId: 'u-1' })),
    { groups: ['buyers'] },
    { groups: ['finance'] },
    { embedTenantName: 'made-by-a-session', tenantGroups: ['editors'] },
    { internalId: 'ines' },
  ].map(
    (body): Request => [
      '/api/v1/embed/generate-session?dryRun=true',
      { deploymentId: 1001, ...body },
    ],
  ),
  // Its answers are random. A dry run answers what a token says.
  'exchange-session': [],
  'revoke-session': [['/api/v1/embed/session/revoke', { sessionId: 'unknown' }]],
  // Tokens are signed with keys that are no part of the catalog.
  'get-embed-session': [],
  'end-embed-session': [],
  'list-embed-workbooks': [],
  'get-key-set': [],
  // It is signed, at any time.
  'get-embed-revocations': [],
  'get-spec': [['/api/v1/spec']],
  'get-error-reference': [['/docs/errors']],
}
