import { expect, test } from 'vitest'
import { answeringAsAws, commanded, refusal } from './environment.ts'

test('commands for the signing keys of a stage or a table name the region', async () => {
  await answeringAsAws(() => ({ __type: 'ResourceNotFoundException' }))
  const env = { SIGNING_KEYS_TABLE: 'mine' }
  expect((await commanded('keys', 'rotate', { env })).said).toMatch(
    / of table mine in eu-central-1 yet\./,
  )
  const none = 'There are no signing keys of stage staging in eu-central-1'
  expect((await commanded('keys', 'rotate --stage staging')).said).toContain(`${none} yet.`)
  expect((await commanded('keys', 'remove --stage staging --yes')).said).toBe(`${none}.\n`)
  expect((await commanded('keys', 'remove --stage staging')).said).toMatch(
    /^This ends every token of stage staging in eu-central-1\./,
  )
})

const active = { Table: { TableStatus: 'ACTIVE' } }

test.each([
  ['production', 'production', true],
  ['staging', 'staging', false],
  ['pr-7', 'pr', false],
])(
  'the table of %s has backups, the key of %s, and protection: %s',
  async (stage, environment, isProtected) => {
    const inputs: Record<string, unknown> = {}
    await answeringAsAws((operation, input) => {
      inputs[operation] = input
      return operation === 'DescribeTable' ? active : {}
    })
    expect(await commanded('keys', `init --stage ${stage}`)).toMatchObject({ code: 0 })
    const TableName = `embed-access-${stage}-signing-keys`
    expect(inputs.CreateTable).toEqual({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      SSESpecification: {
        Enabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: `alias/embed-access-${environment}`,
      },
      DeletionProtectionEnabled: isProtected,
    })
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    expect(inputs.UpdateContinuousBackups).toEqual({ TableName, PointInTimeRecoverySpecification })
  },
)

/** How long `keys init` pauses until AWS has given all these answers. */
async function pausesOfInit(answers: Readonly<Record<string, object[]>>): Promise<number[]> {
  await answeringAsAws((operation) => answers[operation]?.shift() ?? {})
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const time = { now: Date.now, pause }
  expect(await commanded('keys', 'init --stage staging', { time })).toMatchObject({ code: 0 })
  expect(Object.values(answers).flat()).toEqual([])
  return pauses
}

test('a table of signing keys is waited for until it is there and may have backups', async () => {
  const early = {
    CreateTable: [{ __type: 'ResourceInUseException' }],
    DescribeTable: [
      { __type: 'ResourceNotFoundException' },
      { Table: { TableStatus: 'CREATING' } },
      { Table: { TableStatus: 'UPDATING' } },
      active,
    ],
    UpdateContinuousBackups: Array(3).fill({ __type: 'ContinuousBackupsUnavailableException' }),
  }
  expect(await pausesOfInit(early)).toEqual([100, 100, 100, 1000, 1000, 1000])
})

test('signing keys are made in a new table where the last one is still being deleted', async () => {
  const deleting = { Table: { TableStatus: 'DELETING' } }
  await pausesOfInit({
    CreateTable: [{ __type: 'ResourceInUseException' }, {}],
    DescribeTable: [deleting, { __type: 'ResourceNotFoundException' }, active],
  })
})

test('a table of signing keys that no longer can be used is not waited for', async () => {
  const TableStatus = 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'
  await answeringAsAws((operation) =>
    operation === 'DescribeTable'
      ? { Table: { TableStatus } }
      : { __type: 'ResourceInUseException' },
  )
  expect(await commanded('keys', 'init --stage staging --replace')).toMatchObject(
    refusal(`The table embed-access-staging-signing-keys cannot be used: it is ${TableStatus}.`),
  )
})

test.each(['CreateTable', 'DescribeTable', 'UpdateContinuousBackups'])(
  'no signing keys are made where AWS refuses %s',
  async (refused) => {
    await answeringAsAws((operation) =>
      operation === refused ? { __type: 'AccessDeniedException' } : active,
    )
    expect(await commanded('keys', 'init --stage staging')).toMatchObject({ code: 1, output: '' })
  },
)
