import { expect, test } from 'vitest'
import { keyTableName, restoreTestName } from '../../stacks/names.ts'
import { everything, matches, production } from './account-template.ts'
import { arn, stageOf } from './suite.ts'

const signingKeys = arn('dynamodb', `table/${keyTableName('production')}`)
const madeTables = Object.values(stageOf('production').made('dynamodb:Table')).map(({ name }) =>
  arn('dynamodb', `table/${name}`),
)

test('copies in another account are made of every table, daily, if a vault is named', () => {
  expect(production.BackupPlan.Properties.BackupPlan.BackupPlanRule).toMatchObject([
    {
      TargetBackupVault: 'LocalVault',
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Lifecycle: { DeleteAfterDays: 7 },
      CopyActions: [
        {
          DestinationBackupVaultArn: everything.BackupVault,
          Lifecycle: { DeleteAfterDays: 35 },
        },
      ],
    },
  ])
  const { BackupPlanId, BackupSelection } = production.BackedUpTables.Properties
  const { IamRoleArn, Resources } = BackupSelection
  expect([BackupPlanId, IamRoleArn]).toEqual(['BackupPlan', 'BackupRole.Arn'])
  expect([...madeTables, signingKeys].filter((table) => !matches(Resources[0], table))).toEqual([])
})

test('every month the newest backup of each table but the signing keys is restored', () => {
  expect(production.RestoreTest.Properties).toMatchObject({
    RestoreTestingPlanName: restoreTestName('production'),
    ScheduleExpression: 'cron(0 5 1 * ? *)',
    RecoveryPointSelection: {
      Algorithm: 'LATEST_WITHIN_WINDOW',
      IncludeVaults: ['LocalVault.BackupVaultArn'],
    },
  })
  expect(production.RestoredTables.Properties).toMatchObject({
    RestoreTestingPlanName: 'RestoreTest',
    IamRoleArn: 'RestoreRole.Arn',
    ProtectedResourceArns: ['*'],
    // SST tags its tables. A command makes that of the signing keys.
    ProtectedResourceConditions: {
      StringEquals: [{ Key: 'aws:ResourceTag/sst:app', Value: 'embed-access' }],
    },
  })
})
