import { lambdas } from '../functions/operations/lambdas.ts'
import type { FunctionRecord } from '../functions/operations/record.ts'
import { edgeHash, edgeVariable } from '../functions/runtime/edge.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { bundle } from './bundle.ts'
import { type CatalogQueues, queueStatements } from './catalog-queues.ts'
import { componentName, functionName, logGroupName } from './names.ts'
import { boundaryArn, tableStatements, trustOnly } from './policies.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'

export type Functions = Record<string, sst.aws.Function>

/** What functions get and alarms watch. */
export type Deployment = {
  tables: Tables
  queues: CatalogQueues
  url: $util.Output<string>
  /** ARN of the domain's certificate. */
  certificate?: $util.Output<string>
  executions: number
  settings: Settings
}

export function functions(deployment: Deployment): Functions {
  const made = Object.entries(lambdas).map(([name, record]) => [
    name,
    createFunction(name, record, deployment),
  ])
  return Object.fromEntries(made)
}

/** Most requests wait for the first of these functions, and each page view for the second. */
const beforePages = ['authorizer', 'exchange-session']

/** A function with its own role, log group and bundle. */
function createFunction(name: string, record: FunctionRecord, deployment: Deployment) {
  const { tables, queues, url, settings } = deployment
  const component = componentName(name)
  const { PROVISIONED_CONCURRENCY: provisioned, RESERVED_CONCURRENCY: reserved } =
    beforePages.includes(name) ? settings : {}
  const logs = new aws.cloudwatch.LogGroup(`${component}Logs`, {
    name: logGroupName($app.stage, name),
    retentionInDays: settings.logRetentionDays.functions,
  })
  if (settings.AUDIT_DESTINATION) {
    new aws.cloudwatch.LogSubscriptionFilter(`${component}Audit`, {
      logGroup: logs.name,
      filterPattern: '{ $.event = "*" }',
      destinationArn: settings.AUDIT_DESTINATION,
    })
  }
  return new sst.aws.Function(component, {
    name: functionName($app.stage, name),
    bundle: bundle(name).then(({ directory }) => directory),
    handler: 'index.handler',
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    memory: `${record.memory} MB`,
    timeout: `${record.timeout} seconds`,
    environment: {
      ...settings.tokens,
      ...(settings.monitored && { METRICS: 'true' }),
      ISSUER: url,
      ...Object.fromEntries(
        record.tables.map(({ table }) => [tableVariables[table], tables[table].name]),
      ),
      ...(record.queue && { DEAD_LETTERS_URL: queues.dead.url }),
      ...(settings.hasEdge &&
        !record.queue && { [edgeVariable]: settings.EDGE_SECRET.map(edgeHash).join(',') }),
    },
    permissions: [
      ...tableStatements(record.tables, tables),
      ...(record.queue ? queueStatements(queues) : []),
      {
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [$interpolate`${logs.arn}:*`],
      },
    ],
    logging: { logGroup: logs.name },
    ...(provisioned && { versioning: true }),
    concurrency: { ...(provisioned && { provisioned }), ...(reserved && { reserved }) },
    transform: {
      // At this level Lambda writes no lines about every call, which would repeat ours. A timeout
      // is a warning, so its line stays.
      function: {
        loggingConfig: {
          logGroup: logs.name,
          logFormat: 'JSON',
          applicationLogLevel: 'INFO',
          systemLogLevel: 'WARN',
        },
      },
      // AWS's managed policy would let the function write to every log group of the account.
      role: {
        assumeRolePolicy: trustOnly('lambda'),
        managedPolicyArns: [],
        permissionsBoundary: boundaryArn(),
      },
    },
  })
}
