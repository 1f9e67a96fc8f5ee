import { randomBytes } from 'node:crypto'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { apiKeyUseKey } from '@embed-access/core/access/keys.ts'
import {
  deploymentCutOff,
  endUsersRevocationKey,
  everywhereCutOff,
  goneRevocationKey,
  keptUntil,
  minterName,
  minterRevocationKey,
  revocationKey,
  updateForDeletion,
} from '@embed-access/core/access/revocation.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { definitionsKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { readEnd, sessionKey } from '@embed-access/core/sessions/stored-session.ts'
import { unpack } from '@embed-access/core/storage/document.ts'
import { key, ownSortKey } from '@embed-access/core/storage/keys.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { folderEntry, resourceEntry } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, test } from 'vitest'
import { entryOfEveryKind } from '../../functions/runtime/item-of-every-kind.ts'
import { samples } from '../catalog/samples.ts'
import { newTables, putItem } from '../support/database.ts'

/** Another key for the same thing would hide what a deployed stage has stored. */
describe('stored keys are the same in every release:', () => {
  test('every kind of the catalog', () => {
    const keys = Object.entries(samples).map(([kind, all]) => [
      kind,
      all.map((data) => keysOf({ kind, data })),
    ])
    expect(Object.fromEntries(keys)).toEqual({
      account: [
        {
          pk: 'account#acme',
          sk: 'record',
          issuerAndAudience: '291af88ddace483da127cf2dc7490c9ff633f4043579b26d70b9388b2ef0d6cf',
        },
      ],
      user: [
        { pk: 'user#acme#1', emailLogin: 'acme#ada@acme.example', usernameLogin: 'acme#ada' },
        { pk: 'user#acme#2', emailLogin: 'acme#rob@acme.example', usernameLogin: 'acme#rob' },
      ],
      apiKey: [{ pk: `apiKey#${'a1'.repeat(32)}`, keyOwner: 'acme#1' }],
      deployment: [
        {
          pk: 'deployment#1',
          sk: 'record',
          deploymentList: 'account#acme#deployments',
          order: 'a1',
        },
      ],
      embedTenant: [{ pk: 'embedTenant#acme#north', sk: 'record' }],
      group: [{ pk: 'account#acme', sk: 'group#100%2525 %231' }],
      tenantGroup: [{ pk: 'embedTenant#acme#north', sk: 'group#a%23b' }],
      attributeDefinition: [{ pk: 'embedTenant#acme#north', sk: 'attribute#a%23b' }],
      folder: [{ pk: '1#folder#7', sk: 'record', tree: '1', treeEntry: 'fa7' }],
      workbook: [
        {
          pk: '1#workbook#5',
          sk: 'record',
          contents: '1',
          folderEntry: 'a7a5',
          publicId: '1#public-9',
        },
      ],
      share: [
        { pk: '1#workbook#5', sk: 'share#north', tenant: '1#north', shared: 'wa5' },
        { pk: '1#folder#7', sk: 'share', allEmbedUsers: '1', shared: 'fa7' },
      ],
      dbtSync: [
        {
          pk: '1#dbtSync#job%231%25',
          sk: 'record',
          order: '99999999360655551999999999999876543210#job#1%',
          deploymentList: '1#dbtSyncs',
          statusList: '1#dbtSyncs#FAILED',
          triggerList: '1#dbtSyncs#agent',
          statusAndTriggerList: '1#dbtSyncs#FAILED#agent',
        },
      ],
      notification: [
        {
          pk: '1#notification#500',
          sk: 'record',
          order: '99999999360627903999999999999999999999#9999999999999999499',
          deploymentList: '1#notifications',
          dashboardList: '1#notifications#71',
        },
        {
          pk: '1#notification#501',
          sk: 'record',
          order: '99999999360627903999999999999999999999#9999999999999999498',
          deploymentList: '1#notifications',
        },
      ],
      recipient: [
        { pk: '1#notification#500', sk: 'recipient#user#2' },
        { pk: '1#notification#500', sk: 'recipient#embedUser#south#x%23y' },
      ],
    })
  })

  test('a workbook whose document is large', () => {
    const meta = { picture: randomBytes(150_000).toString('base64') }
    const [data] = samples.workbook
    expect(keysOf({ kind: 'workbook', data: { ...data, meta } })).toMatchObject({
      tree: '1',
      treeEntry: 'wa5',
    })
  })

  test('what is not in the catalog', () => {
    expect(key('#', '%23', 7)).toBe('%23#%2523#7')
    expect(apiKeyUseKey('a1')).toEqual({ pk: 'lastUse#a1' })
    expect(definitionsKey('acme', undefined)).toEqual({ pk: 'embedTenant#acme', sk: 'record' })
    expect(revocationKey('acme', 'jti')).toEqual({ pk: 'revocation#acme#jti' })
    const minters = [{ key: '0123' }, { userId: 7 }]
    expect(minters.map(minterName)).toEqual(['key#0123', 'user#7'])
    expect(minters.map((minter) => minterRevocationKey('acme', minter).pk)).toEqual([
      'revocation#acme#minter#key#0123',
      'revocation#acme#minter#user#7',
    ])
    const north = { embedTenantName: 'north' }
    expect(
      [north, { ...north, externalId: 'u-1' }].map((of) => endUsersRevocationKey('acme', of).pk),
    ).toEqual([
      'revocation#acme#tenant#north',
      'revocation#acme#user#north#a24a7f55f278dd49fb1f99c5507800cb198a5bfe10fe2126cd0b25672152b0da',
    ])
    expect(goneRevocationKey('acme', 'user', 3)).toEqual({ pk: 'revocation#acme#gone#user#3' })
    expect(keptUntil({ pk: 'a' }, 12).values).toMatchObject({
      ':end': 12,
      ':place': 'b12#ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs',
    })
    const { '#0': deletion } = updateForDeletion(
      'table',
      endUsersRevocationKey('acme', north),
      0,
    ).ExpressionAttributeNames
    expect([everywhereCutOff, deploymentCutOff(1), deletion]).toEqual([
      ...['everywhere', 'deployment#1', 'deletion'],
    ])
    expect(sessionKey('id')).toEqual({
      pk: 'session#a56145270ce6b3bebd1dd012b73948677dd618d496488bc608a3cb43ce3547dd',
    })
  })

  test('the item that a warm-up reads is of these forms too', () => {
    const { document, ...attributes } = unmarshall(
      entryOfEveryKind as Parameters<typeof unmarshall>[0],
    )
    expect(unpack(Buffer.from(document, 'base64'))).toBe('{"id":0}')
    expect(attributes).toMatchObject({
      sk: ownSortKey,
      shared: resourceEntry('folder', 0),
      folderEntry: folderEntry(0, 0),
      treeEntry: resourceEntry('workbook', 0),
    })
  })

  test('how a session ended', async () => {
    const storage = await newTables()
    const Item = { pk: 'end#-KMoH2hAyr_ystQoDSVvTU', end: 'revoked' }
    await putItem(storage, 'sessions', Item)
    expect(await readEnd(storage, 'id')).toMatchObject({ end: 'revoked' })
    storage.client.destroy()
  })
})

/** The keys of an item, those of its table and those of the indexes. */
function keysOf(change: object): object {
  const parsed = parse(change)
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  const { indexes } = tableDefinitions[parsed.kind.table]
  const names = new Set([
    'pk',
    'sk',
    ...indexes.flatMap(({ partitionKey, sortKey = '' }) => [partitionKey, sortKey]),
  ])
  return Object.fromEntries(
    Object.entries({ ...parsed.key, ...parsed.content }).filter(([name]) => names.has(name)),
  )
}
