import { ownerOf } from '@embed-access/core/catalog/export.ts'
import { expect, test } from 'vitest'

test.each([
  ['a deployment by its key', { pk: 'deployment#7', accountId: 'acme' }, { deploymentId: 7 }],
  ['what is in a deployment by the front of its key', { pk: '12#workbook#5' }, { deploymentId: 12 }],
  ['an account by its key, whatever it is called', { pk: 'account#a%23b', sk: 'group#x' }, { accountId: 'a#b' }],
  ['other things by the account that they name', { pk: 'user#acme#1', accountId: 'acme' }, { accountId: 'acme' }],
  [
    'their tombstones by what identified them',
    { pk: 'user#acme#1', identity: '{"accountId":"acme","id":1}' },
    { accountId: 'acme' },
  ],
  ['nobody where a tombstone has no account', { pk: 'apiKey#1', identity: '{"tokenHash":"1"}' }, {}],
  ['nobody where nothing is named', { pk: 'strange' }, {}],
  ['no deployment by a key that only begins with digits', { pk: '1a#workbook#5' }, {}],
  ['no deployment by a key that only ends with digits', { pk: 'a1#workbook#5' }, {}],
])('Tells the owner: %s', (_, item, owner) => {
  expect(ownerOf(item)).toEqual(owner)
})
