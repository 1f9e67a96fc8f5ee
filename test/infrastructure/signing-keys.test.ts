import { expect, test } from 'vitest'
import { evaluate, productionSettings } from './stages.ts'
import { testStages } from './suite.ts'

testStages('no input of any resource has a private key, or could have one', ({ resources }) => {
  expect(JSON.stringify(resources)).not.toMatch(/\\*"d\\*":|PRIVATE KEY|SIGNING_KEYS(?!_TABLE)/)
  expect(resources.filter(({ type }) => /secret|ssm|privateKey|dynamodb\/tableItem/i.test(type))).toEqual([])
})

test.each([
  ['no table', { getTable: null }, /^.*Stage production has no signing keys\. Make them first: npm run keys -- init/m],
  ['no keys', { getTableItem: null }, /Stage production has no signing keys/],
  [
    'a table under AWS’s key',
    { getTable: { serverSideEncryption: { enabled: false } } },
    /not encrypted with a KMS key/,
  ],
  ['an unprotected table', { getTable: { deletionProtectionEnabled: false } }, /needs deletion protection/],
  ['a table without backups', { getTable: { pointInTimeRecovery: { enabled: false } } }, /point-in-time recovery/],
])('a deployment that finds %s fails before it makes anything', async (_, answers, message) => {
  const failed = evaluate('production', { ...productionSettings, MOCKED_ANSWERS: JSON.stringify(answers) })
  await expect(failed).rejects.toThrow(message)
  await expect(failed).rejects.not.toThrow(/made: aws:/)
})
