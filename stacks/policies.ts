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

/** `ForAllValues` holds where there is no key at all, so that one is asked for as well. */
const partitionsBeginWith = (prefixes: readonly string[]) => [
  {
    test: 'ForAllValues:StringLike',
    variable: 'dynamodb:LeadingKeys',
    values: prefixes.map((prefix) => `${prefix}*`),
  },
  { test: 'Null', variable: 'dynamodb:LeadingKeys', values: ['false'] },
]

/** Only Lambda itself: SST lets every principal of the account take on a function's role. */
export const trustLambdaOnly = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
