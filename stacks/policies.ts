import type { TablePermission } from '../functions/permissions.ts'
import type { Tables } from './tables.ts'

/** The permissions of a function as statements over the tables of this stage. */
export const tableStatements = (
  permissions: readonly TablePermission[],
  tables: Tables,
): sst.aws.FunctionPermissionArgs[] =>
  permissions.flatMap(({ table, actions = [], indexes = [] }) => [
    ...(actions.length > 0
      ? [{ actions: actions.map((action) => `dynamodb:${action}`), resources: [tables[table].arn] }]
      : []),
    ...(indexes.length > 0
      ? [
          {
            actions: ['dynamodb:Query'],
            resources: indexes.map((index) => $interpolate`${tables[table].arn}/index/${index}`),
          },
        ]
      : []),
  ])

/** Only Lambda itself: SST lets every principal of the account take on a function's role. */
export const trustLambdaOnly = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
