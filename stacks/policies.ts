import type { TablePermission } from '../functions/operations/record.ts'
import { boundaryName } from './names.ts'
import type { Tables } from './tables.ts'

export type Statements = sst.aws.FunctionPermissionArgs[]

export const tableStatements = (
  permissions: readonly TablePermission[],
  tables: Tables,
): Statements =>
  permissions.flatMap(({ table, reads = [], writes = {}, narrowReads = {}, indexes = [] }) => {
    const { arn } = tables[table]
    const ofIndexes = indexes.map((index) => $interpolate`${arn}/index/${index}`)
    return [
      ...(reads.length > 0
        ? [{ actions: reads.map((action) => `dynamodb:${action}`), resources: [arn] }]
        : []),
      ...Object.entries({ ...narrowReads, ...writes }).map(([action, prefixes]) => ({
        actions: [`dynamodb:${action}`],
        resources: [arn],
        conditions: partitionsBeginWith(prefixes),
      })),
      ...(indexes.length > 0 ? [{ actions: ['dynamodb:Query'], resources: ofIndexes }] : []),
      ...(table === 'signingKeys' ? [decryption(tables.signingKeys)] : []),
    ]
  })

/**
 * DynamoDB decrypts with the permissions of whoever reads. The function itself can't use the key.
 */
function decryption({ encryptionKey, name }: Tables['signingKeys']): Statements[number] {
  const equal = (variable: string, value: $util.Input<string>) => {
    return { test: 'StringEquals', variable, values: [value] }
  }
  return {
    actions: ['kms:Decrypt'],
    resources: [encryptionKey],
    conditions: [
      equal('kms:ViaService', $interpolate`dynamodb.${aws.getRegionOutput().region}.amazonaws.com`),
      equal('kms:EncryptionContext:aws:dynamodb:tableName', name),
    ],
  }
}

/**
 * `dynamodb:LeadingKeys` has the partition keys of a request. `ForAllValues` also holds for a
 * request that has none, so the second condition requires some.
 */
function partitionsBeginWith(prefixes: readonly string[]) {
  const variable = 'dynamodb:LeadingKeys'
  const values = prefixes.map((prefix) => `${prefix}*`)
  return [
    { test: 'ForAllValues:StringLike', variable, values },
    { test: 'Null', variable, values: ['false'] },
  ]
}

/**
 * The most that a role of this stage can do. The deploying role makes no role without it
 * (stacks/account.yml).
 */
export function boundaryArn(): $util.Output<string> {
  const name = aws.getRegionOutput().region.apply((region) => boundaryName($app.stage, region))
  return $interpolate`arn:aws:iam::${aws.getCallerIdentityOutput().accountId}:policy/${name}`
}

/**
 * Only this service may assume a role. SST's default for functions lets every principal of the
 * account do so.
 */
export const trustOnly = (service: 'lambda' | 'events'): string => {
  const Principal = { Service: `${service}.amazonaws.com` }
  return JSON.stringify(policyOf({ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }))
}

export const policyOf = (...Statement: readonly object[]) => ({ Version: '2012-10-17', Statement })
