import type { TablePermission } from '../functions/operations/operation.ts'
import type { Tables } from './tables.ts'

/** The permissions of a function as statements over the tables of this stage. */
export const tableStatements = (
  permissions: readonly TablePermission[],
  tables: Tables,
): sst.aws.FunctionPermissionArgs[] =>
  permissions.flatMap(({ table, reads = [], writes = {}, indexes = [] }) => {
    const { arn } = tables[table]
    return [
      ...(reads.length > 0 ? [{ actions: reads.map((action) => `dynamodb:${action}`), resources: [arn] }] : []),
      ...Object.entries(writes).map(([action, prefixes]) => ({
        actions: [`dynamodb:${action}`],
        resources: [arn],
        conditions: partitionsBeginWith(prefixes),
      })),
      ...(indexes.length > 0
        ? [
            {
              actions: ['dynamodb:Query'],
              resources: indexes.map((index) => $interpolate`${arn}/index/${index}`),
            },
          ]
        : []),
    ]
  })

/** `ForAllValues` is also true without any key, so the second condition requires one. */
const partitionsBeginWith = (prefixes: readonly string[]) => [
  {
    test: 'ForAllValues:StringLike',
    variable: 'dynamodb:LeadingKeys',
    values: prefixes.map((prefix) => `${prefix}*`),
  },
  { test: 'Null', variable: 'dynamodb:LeadingKeys', values: ['false'] },
]

/** Only Lambda may assume a role of a function. SST's default lets every principal of the account do so. */
export const trustLambdaOnly = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
