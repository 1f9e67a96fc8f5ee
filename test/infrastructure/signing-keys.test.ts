import { evaluate, productionSettings } from './evaluate.ts'
import { expect, ofType, stageNames, stages, test } from './suite.ts'

test.each(stageNames)('in %s no input of any resource has a private key, or could have one', (stage) => {
  const inputs = JSON.stringify(stages[stage].resources)
  expect(inputs).not.toMatch(/\\*"d\\*":|PRIVATE KEY|SIGNING_KEYS(?!_TABLE)/)
  const secrets = stages[stage].resources.filter(({ type }) => /secret|ssm|privateKey|dynamodb\/tableItem/i.test(type))
  expect(secrets).toEqual([])
})

test.each(stageNames)('in %s the table of the keys is not the deployment’s to make or remove', (stage) => {
  expect(ofType(stage, 'aws:dynamodb/table:Table').map(({ name }) => name)).not.toContain('SigningKeysTable')
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
