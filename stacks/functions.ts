import { permissions } from '../functions/permissions.ts'
import { tableVariables } from '../functions/runtime/table-variables.ts'
import { bundle, bundleHandler } from './bundle.ts'
import { keyVariables } from './keys.ts'
import { tableStatements, trustLambdaOnly } from './policies.ts'
import { logRetentionDays } from './retention.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'

export type Functions = Readonly<Record<string, sst.aws.Function>>

/**
 * MB, and with them the share of a processor: 1,769 are a whole one. A list inflates and joins up to 5 MiB; what the
 * others compute takes less than a millisecond even on a third of one. What needs no table answers with a constant.
 */
const memoryOf = (name: string): number =>
  name.startsWith('list-') ? 1024 : permissions[name]?.length === 0 ? 256 : 512

/** One function per operation, and the authorizer: each with its own role, log group and bundle. */
export function functions(tables: Tables, url: $util.Output<string>, settings: Settings): Functions {
  const variables = keyVariables()
  const create = (name: string) => createFunction(name, tables, url, variables, settings)
  return Object.fromEntries(Object.keys(permissions).map((name) => [name, create(name)]))
}

function createFunction(
  name: string,
  tables: Tables,
  url: $util.Output<string>,
  keyVariables: (name: string) => Record<string, $util.Output<string>>,
  settings: Settings,
): sst.aws.Function {
  const own = permissions[name] ?? []
  const component = componentName(name)
  const physical = `${$app.name}-${$app.stage}-${name}`
  const logs = new aws.cloudwatch.LogGroup(`${component}Logs`, {
    name: `/aws/lambda/${physical}`,
    retentionInDays: logRetentionDays(settings),
  })
  return new sst.aws.Function(component, {
    name: physical,
    bundle: bundle(name).then(({ directory }) => directory),
    handler: bundleHandler,
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    memory: `${memoryOf(name)} MB`,
    // Of the 30 seconds that API Gateway waits: a list that takes longer than this has gone wrong.
    timeout: name === 'authorizer' ? '5 seconds' : '15 seconds',
    environment: {
      ...settings.tokens,
      ISSUER: url,
      ...Object.fromEntries(own.map(({ table }) => [tableVariables[table], tables[table].name])),
      ...keyVariables(name),
    },
    permissions: [
      ...tableStatements(own, tables),
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [$interpolate`${logs.arn}:*`] },
    ],
    logging: { logGroup: logs.name },
    transform: {
      role: (role) => {
        role.assumeRolePolicy = trustLambdaOnly
        // AWS's managed policy for functions would allow writing to every log group of the account.
        role.managedPolicyArns = []
        return undefined
      },
    },
  })
}

/** `list-dbt-syncs` → `ListDbtSyncs`. */
export const componentName = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
