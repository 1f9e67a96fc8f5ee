import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'

const help = `Usage: npm run infra:mutations [-- word]

Breaks the deployment's code in one way after the other, in copies of it, and runs the tests that have to notice.
Takes some five minutes; ends with 1 if something was not noticed.
`

const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

/** Something that would be wrong with the deployment, as a change of its code, and which tests have to notice it. */
type Mutation = {
  readonly wrong: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly noticedBy: 'tables' | 'routes' | 'functions' | 'stages' | 'observability' | 'bundles'
}

const mutations: readonly Mutation[] = [
  {
    wrong: 'no route asks the authorizer',
    file: 'stacks/api.ts',
    from: "auth: route.access !== 'public' && { lambda: authorizer.id },",
    to: 'auth: false,',
    noticedBy: 'routes',
  },
  {
    wrong: 'an allow for one route is reused for another',
    file: 'stacks/api.ts',
    from: "['$request.header.Authorization', '$context.routeKey']",
    to: "['$request.header.Authorization']",
    noticedBy: 'routes',
  },
  {
    wrong: 'a route that is not among the operations',
    file: 'stacks/api.ts',
    from: '      servedBy(',
    to: "      gateway.route('GET /debug', arnOf('get-key-set', functions))\n      servedBy(",
    noticedBy: 'routes',
  },
  {
    wrong: 'the stage is made before the routes that it has settings for',
    file: 'stacks/api.ts',
    from: 'options.dependsOn = served',
    to: '',
    noticedBy: 'routes',
  },
  {
    wrong: 'public routes are limited like all others',
    file: 'stacks/api.ts',
    from: 'stage.routeSettings = publicThrottling(routes, settings)',
    to: '',
    noticedBy: 'routes',
  },
  {
    wrong: 'pages of every origin may call it',
    file: 'stacks/api.ts',
    from: 'allowOrigins: [...settings.corsOrigins]',
    to: "allowOrigins: ['*']",
    noticedBy: 'routes',
  },
  {
    wrong: 'functions may do anything with their tables',
    file: 'stacks/policies.ts',
    from: 'reads.map((action)',
    to: "['*'].map((action)",
    noticedBy: 'functions',
  },
  {
    wrong: 'functions may write any item of a table',
    file: 'stacks/policies.ts',
    from: 'conditions: partitionsBeginWith(prefixes),',
    to: '',
    noticedBy: 'functions',
  },
  {
    wrong: 'a write that names no key is allowed',
    file: 'stacks/policies.ts',
    from: "{ test: 'Null', variable: 'dynamodb:LeadingKeys', values: ['false'] },",
    to: '',
    noticedBy: 'functions',
  },
  {
    wrong: 'functions may query every index',
    file: 'stacks/policies.ts',
    from: 'indexes.map((index)',
    to: "['*'].map((index)",
    noticedBy: 'functions',
  },
  {
    wrong: 'the account’s principals may take on the functions’ roles',
    file: 'stacks/functions.ts',
    from: 'role.assumeRolePolicy = trustLambdaOnly',
    to: '',
    noticedBy: 'functions',
  },
  {
    wrong: 'functions may write to every log group',
    file: 'stacks/functions.ts',
    from: 'role.managedPolicyArns = []',
    to: '',
    noticedBy: 'functions',
  },
  {
    wrong: 'another runtime',
    file: 'stacks/functions.ts',
    from: "'nodejs24.x'",
    to: "'nodejs22.x'",
    noticedBy: 'functions',
  },
  {
    wrong: 'lists have the memory of all others',
    file: 'stacks/functions.ts',
    from: 'record.memory',
    to: '512',
    noticedBy: 'functions',
  },
  {
    wrong: 'every function that reads keys may read the private ones',
    file: 'stacks/policies.ts',
    from: "variable: 'dynamodb:LeadingKeys',\n    values: prefixes",
    to: "variable: 'dynamodb:LeadingKeys',\n    values: ['']",
    noticedBy: 'functions',
  },
  {
    wrong: 'logs of production are kept for a week',
    file: 'stacks/retention.ts',
    from: 'production ? 90',
    to: 'production ? 7',
    noticedBy: 'functions',
  },
  {
    wrong: 'an index is missing',
    file: 'stacks/tables.ts',
    from: 'indexes.map(',
    to: 'indexes.slice(1).map(',
    noticedBy: 'tables',
  },
  {
    wrong: 'sessions stay in their table',
    file: 'stacks/tables.ts',
    from: '...(expiryAttribute && { ttl: expiryAttribute }),',
    to: '',
    noticedBy: 'tables',
  },
  {
    wrong: 'production’s tables may be deleted',
    file: 'stacks/tables.ts',
    from: 'deletionProtection: production',
    to: 'deletionProtection: false',
    noticedBy: 'tables',
  },
  {
    wrong: 'removing production removes its tables',
    file: 'sst.config.ts',
    from: "production ? 'retain' : 'remove'",
    to: "'remove'",
    noticedBy: 'stages',
  },
  {
    wrong: 'a preview leaves its tables behind',
    file: 'sst.config.ts',
    from: "production ? 'retain' : 'remove'",
    to: "'retain'",
    noticedBy: 'stages',
  },
  {
    wrong: 'nobody hears of failures',
    file: 'stacks/alarm.ts',
    from: 'alarmActions: actions,',
    to: '',
    noticedBy: 'observability',
  },
  {
    wrong: 'refused credentials set off the authorizer’s alarm',
    file: 'stacks/metrics.ts',
    from: '($.status = 500) && ($.integrationRequestId',
    to: '($.status = 401) && ($.integrationRequestId',
    noticedBy: 'observability',
  },
  {
    wrong: 'bundles load undici',
    file: 'stacks/bundle.ts',
    from: '[lambdaCredentials, builtinsWithoutUndici]',
    to: '[lambdaCredentials]',
    noticedBy: 'bundles',
  },
  {
    wrong: 'the audience does not reach the functions',
    file: 'stacks/functions.ts',
    from: '...settings.tokens, ',
    to: '',
    noticedBy: 'functions',
  },
  {
    wrong: 'a certificate of one’s own is ignored',
    file: 'stacks/api.ts',
    from: '  certificateArn\n    ?',
    to: '  certificateArn === null\n    ?',
    noticedBy: 'routes',
  },
  {
    wrong: 'staging has no alarms',
    file: 'stacks/settings.ts',
    from: "production || stage === 'staging'",
    to: 'production',
    noticedBy: 'observability',
  },
  {
    wrong: 'alarms are about no API',
    file: 'stacks/alarms.ts',
    from: 'dimensions: { ApiId } }',
    to: "dimensions: { ApiId: 'x' } }",
    noticedBy: 'observability',
  },
  {
    wrong: 'limits are ten times as high',
    file: 'stacks/throttling.ts',
    from: 'throttlingRateLimit: perSecond',
    to: 'throttlingRateLimit: 10 * perSecond',
    noticedBy: 'routes',
  },
  {
    wrong: 'the authorizer’s decision is kept for a minute',
    file: 'functions/http/authorizer-cache.ts',
    from: 'authorizerCacheSeconds = 30',
    to: 'authorizerCacheSeconds = 60',
    noticedBy: 'routes',
  },
  {
    wrong: 'the exchange has more time',
    file: 'functions/operations/operations.ts',
    from: 'memory: 512, timeout: 8',
    to: 'memory: 512, timeout: 15',
    noticedBy: 'functions',
  },
  {
    wrong: 'pages may not send JSON',
    file: 'stacks/api.ts',
    from: 'allowHeaders: [...crossOrigin.headers]',
    to: 'allowHeaders: []',
    noticedBy: 'routes',
  },
  {
    wrong: 'roles have no boundary',
    file: 'stacks/functions.ts',
    from: 'role.permissionsBoundary = boundaryArn()',
    to: '',
    noticedBy: 'functions',
  },
]

/** Makes each mutation in a copy of its own and runs the tests that have to notice it; a word chooses among them. */
const [word = ''] = positionals
const unnoticed: string[] = []
await inParallel(
  mutations.filter(({ wrong }) => wrong.includes(word)),
  async (mutation) => {
    const noticed = await notices(mutation)
    process.stdout.write(`${noticed ? 'noticed  ' : 'UNNOTICED'} ${mutation.wrong}\n`)
    if (!noticed) unnoticed.push(mutation.wrong)
  },
  2,
)
if (unnoticed.length > 0) process.exitCode = 1

async function notices({ file, from, to, noticedBy }: Mutation): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), 'mutation-'))
  try {
    for (const part of ['sst.config.ts', 'package.json', 'stacks', 'functions', 'docs']) {
      await cp(part, join(root, part), { recursive: true })
    }
    for (const part of ['node_modules', '.sst']) await symlink(join(process.cwd(), part), join(root, part))
    const path = join(root, file)
    const code = await readFile(path, 'utf8')
    if (!code.includes(from)) throw new Error(`${file} has no ${from}`)
    await writeFile(
      path,
      code.replace(from, () => to),
    )
    return await testsFail(root, noticedBy)
  } finally {
    await rm(root, { recursive: true })
  }
}

/** Whether an assertion fails; a config that can't be evaluated at all would prove nothing. */
async function testsFail(root: string, name: string): Promise<boolean> {
  const config = 'test/infrastructure/vitest.config.ts'
  const child = spawn('vitest', ['run', '--config', config, `test/infrastructure/${name}.test.ts`], {
    env: { ...process.env, INFRASTRUCTURE_ROOT: root, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const output = await text(child.stdout)
  if (!/Tests .*\d/.test(output)) throw new Error(`the tests did not run:\n${output}`)
  return /Tests .*\d+ failed/.test(output)
}
