/** What is tried together. */
export type Folder = {
  /** Globs of the files in which mistakes are made. */
  readonly files: readonly string[]
  /** Globs of the tests that are asked: those of the noun, and what tries every operation. */
  readonly tests: readonly string[]
  /** The lowest score that passes, in percent. */
  readonly lowest: number
}

const operations = 'test/operations/{isolation,refused-reads,trips}.test.ts'
/** Keys as they are stored, and cursors of each list. */
const texts = ['test/storage/stored-keys.test.ts', 'test/api/errors.test.ts']

const core = (noun: string, lowest: number, ...tests: readonly string[]): Folder => ({
  files: [`core/${noun}/**/*.ts`],
  tests: [...tests, ...texts],
  lowest,
})

export const folders: Readonly<Record<string, Folder>> = {
  core: {
    files: ['core/*.ts'],
    tests: [
      'test/api/{errors,letters,many-mistakes,nearest,numbers,times}.test.ts',
      'test/catalog/{check,mistakes,unknown-fields}.test.ts',
      'test/contract/catalog.test.ts',
      'test/dbt-syncs/list.test.ts',
      'test/sessions/{dry-run,mistakes,similar-embed-tenants,view-as}.test.ts',
      'test/operations/guards.test.ts',
      'test/workbooks/document-fields.test.ts',
    ],
    lowest: 90,
  },
  'core/access': core(
    'access',
    95,
    'test/access/*.test.ts',
    'test/sessions/{generate,definitions,revocation,embed-session,late-reads,edges,audit}.test.ts',
    'test/sessions/embed-revocations.test.ts',
    'test/client/revocations.test.ts',
    'test/docs/revocation-hashes.test.ts',
    'test/cli/{api-keys,sessions}.test.ts',
    'test/notifications/list.test.ts',
    'test/gateway/authorizer.test.ts',
    operations,
  ),
  'core/sessions': core(
    'sessions',
    95,
    'test/{sessions,embed-tenants}/*.test.ts',
    'test/access/{credentials,forged-tokens,limited-keys,recent-lookups,revoked-tokens}.test.ts',
    'test/client/revocations.test.ts',
    // Without every-fault: its hundreds of requests would make the folder take far longer.
    'test/faults/{redemption,silent-database,import}.test.ts',
    operations,
  ),
  'core/signing': core(
    'signing',
    95,
    'test/signing/*.test.ts',
    'test/sessions/{dry-run,redemption,late-reads,edges,embed-revocations}.test.ts',
    'test/cli/signing-key*.test.ts',
  ),
  'core/workbooks': core(
    'workbooks',
    95,
    'test/workbooks/*.test.ts',
    'test/{notifications/list,sessions/dry-run,sessions/late-reads}.test.ts',
    'test/contract/document.test.ts',
    'test/pages/costs.test.ts',
    operations,
  ),
  'core/embed-access': core(
    'embed-access',
    95,
    'test/embed-access/*.test.ts',
    'test/catalog/check.test.ts',
    operations,
  ),
  'core/catalog': core(
    'catalog',
    95,
    'test/{catalog,embed-tenants,notifications,dbt-syncs}/*.test.ts',
    'test/feed/{batches,catalog-sync}.test.ts',
    'test/faults/import.test.ts',
    'test/contract/catalog.test.ts',
    'test/sessions/{definition-races,session-tenants}.test.ts',
    'test/cli/{purge,reconcile,import*,check-and-explain,hostile-names,progress}.test.ts',
  ),
  'core/embed-tenants': core(
    'embed-tenants',
    90,
    'test/{embed-tenants,sessions}/*.test.ts',
    'test/catalog/definitions.test.ts',
    operations,
  ),
  'core/dbt-syncs': core('dbt-syncs', 90, 'test/dbt-syncs/*.test.ts', operations),
  'core/notifications': core('notifications', 90, 'test/notifications/*.test.ts', operations),
  'core/storage': core(
    'storage',
    90,
    'test/storage/*.test.ts',
    // Without every-fault too.
    'test/faults/{answers,import,redemption,silent-database}.test.ts',
    'test/{signing/signing-keys,access/recent-lookups}.test.ts',
    'test/catalog/{definitions,sizes,writing}.test.ts',
    'test/workbooks/{changing-pages,document-fields,one-moment}.test.ts',
    'test/{dbt-syncs,embed-access,embed-tenants}/list.test.ts',
    'test/operations/{trips,invocations}.test.ts',
  ),
  functions: {
    // What runs only as a function starts is tried in processes of its own, in which Stryker sees
    // nothing.
    files: ['functions/**/*.ts', '!functions/runtime/{deployed,environment,storage,warm-up}.ts'],
    tests: [
      // Without those that send thousands of requests to every operation.
      'test/api/{compression,errors,letters,many-mistakes,times}.test.ts',
      'test/operations/{authorizations,guards,invocations,isolation,refused-reads,trips}.test.ts',
      'test/contract/conformance.test.ts',
      'test/gateway/{authorizer,edge}.test.ts',
      'test/feed/{batches,catalog-sync,sqs}.test.ts',
      'test/access/{api-keys,credentials,keys-in-pages,limited-keys}.test.ts',
      'test/access/{oidc,revoked-tokens}.test.ts',
      'test/sessions/{audit,dry-run,embed-session,generate,mistakes,redemption,revocation}.test.ts',
      'test/sessions/{embed-revocations,view-as}.test.ts',
      'test/{dbt-syncs,embed-access,embed-tenants,notifications}/list.test.ts',
      'test/workbooks/own.test.ts',
      'test/faults/{answers,redemption,silent-database}.test.ts',
      'test/starts/warm-up.test.ts',
    ],
    lowest: 90,
  },
  cli: {
    // The service that npm start runs is a process of its own. test/local/start.test.ts starts it.
    files: ['cli/**/*.ts', '!cli/start/*.ts'],
    tests: [
      // Without those that do no more than start processes.
      'test/cli/{*-key*,arguments,check-and-explain,export,help,hostile-names,import*}.test.ts',
      'test/cli/{outage,place,progress,published,purge,reconcile,sessions,smoke,usage}.test.ts',
      'test/catalog/{check,references}.test.ts',
      'test/faults/import.test.ts',
      'test/feed/{local-queue,sqs}.test.ts',
    ],
    lowest: 85,
  },
  client: {
    // One file is generated, and one generates it. Stryker does not see Chromium, in which
    // test/examples tries embed-frame.ts.
    files: ['client/*.ts', '!client/{contract,embed-frame,make-contract}.ts'],
    tests: [
      'test/client/{client,frame,operations,redeem,retries,revocations,verifier}.test.ts',
      'test/docs/revocation-hashes.test.ts',
    ],
    lowest: 85,
  },
  openapi: {
    files: ['openapi/**/*.ts'],
    tests: ['test/contract/*.test.ts', 'test/cli/published.test.ts'],
    lowest: 85,
  },
  'local/gateway': {
    files: ['local/gateway/*.ts'],
    tests: ['test/gateway/*.test.ts', 'test/api/{compression,errors}.test.ts'],
    lowest: 85,
  },
}
