import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dbtSync, folder, keys, notification, people, put, workbook, world } from '../support/service.ts'
import { applyTo, outcomesAt } from './outcomes.ts'
import { samples } from './samples.ts'

describe('a change of great length', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])
  const apply = applyTo(service)
  const outcomes = outcomesAt(service)

  test('with a document too large for its lists is refused and stops no other', async () => {
    const compressible = 'too long '.repeat(800_000)
    const incompressible = randomBytes(600_000).toString('base64')
    const largest = randomBytes(130_000).toString('hex')
    expect(
      await outcomes(
        dbtSync(2, 'compressible', { errorMessage: compressible }),
        dbtSync(2, 'incompressible', { errorMessage: incompressible }),
        notification(2, 1, { humanReadableSchedule: compressible }),
        notification(2, 2, { humanReadableSchedule: incompressible }),
        workbook(2, 90, { meta: { text: compressible } }),
        workbook(2, 91, { meta: { text: incompressible } }),
        dbtSync(2, 'largest', { errorMessage: largest }),
        notification(2, 3, { humanReadableSchedule: largest }),
      ),
    ).toEqual([['/data'], ['/data'], ['/data'], ['/data'], ['/data'], ['/data'], 'applied', 'applied'])
    const [tooLong] = await apply([dbtSync(2, 'compressible', { errorMessage: compressible })])
    expect(tooLong).toMatchObject({
      problems: [{ reason: expect.stringMatching(/^the document has \d+ bytes; the limit is 262144$/) }],
    })
  })

  test('of more than 64 KiB without a document is refused and stops no other', async () => {
    const long = 'x'.repeat(500_000)
    expect(
      await outcomes(
        folder(1, 80, null, long),
        { kind: 'group', data: { accountId: 'acme', name: 'long', description: long } },
        { kind: 'account', data: { id: 'long', name: long } },
        { kind: 'deployment', data: { accountId: 'acme', id: 380, name: long } },
        { kind: 'user', data: { accountId: 'acme', id: 80, email: 'x', roles: [long], deploymentIds: [] } },
        folder(1, 80, null, 'x'.repeat(65_000)),
      ),
    ).toEqual([...Array(5).fill(['/data']), 'applied'])
    const [refused] = await apply([folder(1, 80, null, long)])
    expect(refused).toMatchObject({
      problems: [{ reason: expect.stringMatching(/^the data has \d+ bytes; the limit is 65536$/) }],
    })
  })

  test('that names a thing by more than a key holds is refused and stops no other', async () => {
    const long = '#'.repeat(1000)
    const widest = '\uffff'
    const recipient = { type: 'embedUser', embedTenantName: 'n'.repeat(36), externalId: widest.repeat(256) }
    expect(
      await outcomes(
        { kind: 'dbtSync', op: 'delete', data: { deploymentId: 1, syncJobId: long } },
        { kind: 'apiKey', op: 'delete', data: { tokenHash: long } },
        { kind: 'group', op: 'delete', data: { accountId: widest.repeat(200), name: widest.repeat(100) } },
        { kind: 'recipient', data: { deploymentId: 1, notificationId: 80, recipient } },
        dbtSync(1, widest.repeat(200)),
        {
          kind: 'user',
          data: {
            accountId: widest.repeat(200),
            id: 1,
            email: widest.repeat(320),
            username: '#'.repeat(320),
            roles: [],
            deploymentIds: [],
          },
        },
        {
          kind: 'account',
          data: {
            id: 'long',
            name: 'x',
            oidc: { issuer: `https://${'x'.repeat(2000)}`, audience: widest.repeat(2048), userClaim: 'sub' },
          },
        },
        workbook(1, 92, {
          publishedDashboard: { ...samples.workbook[0]?.publishedDashboard, publicId: widest.repeat(255) },
        }),
      ),
    ).toEqual([['/data'], ['/data'], ...Array(6).fill('applied')])
  })

  test('of documents as large as they may be fills pages that can be read', async () => {
    const text = 'a'.repeat(255 * 1024)
    await service.apply(Array.from({ length: 60 }, (_, index) => dbtSync(1, `sync-${index}`, { errorMessage: text })))
    const { status, text: page } = await service.get('/api/v1/deployments/1/dbt-sync?first=60', { key: keys.admin })
    expect([status, Buffer.byteLength(page) < 6_000_000]).toEqual([200, true])
  })
})
