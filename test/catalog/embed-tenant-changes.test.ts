import { describe, expect, test } from 'vitest'
import { embedTenant, keys, people, put, share, without, world } from '../support/service.ts'
import { outcomesAt } from './outcomes.ts'

describe('a change of an embed tenant', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])
  const outcomes = outcomesAt(service)

  test('that gives it more groups than it can hold is refused, and ending one makes room', async () => {
    const description = '漢'.repeat(500)
    const tenantGroup = (index: number) => ({
      kind: 'tenantGroup',
      revision: 1,
      data: { accountId: 'acme', embedTenantName: 'full', name: `g${index}`, description },
    })
    const all = await outcomes(...Array.from({ length: 300 }, (_, index) => tenantGroup(index)))
    const applied = all.flatMap((outcome, index) => (outcome === 'applied' ? [index] : []))
    expect(all.filter((outcome) => outcome !== 'applied')).toEqual(Array(300 - applied.length).fill(['/data']))
    expect(applied.length).toBeGreaterThan(200)
    expect(applied.length).toBeLessThan(270)
    const [first = 0, second = 0] = applied
    expect(
      await outcomes(
        { kind: 'embedTenant', data: { accountId: 'acme', name: 'full', displayName: 'x'.repeat(200) } },
        tenantGroup(300),
        ...applied.slice(0, 40).map((index) => ({ ...without(tenantGroup(index)), revision: 2 })),
      ),
    ).toEqual(['applied', ['/data'], ...Array(40).fill('applied')])
    expect(await outcomes(tenantGroup(301), tenantGroup(first), tenantGroup(second))).toEqual([
      'applied',
      'skipped',
      'skipped',
    ])
  })

  test('names it by a share or a recipient, in every deployment of the account', async () => {
    const status = async (name: string, deploymentId = 1) =>
      (await service.get(`/api/v1/deployments/${deploymentId}/embed-tenants/${name}/workbooks`, { key: keys.admin }))
        .status
    expect(await status('by-share')).toBe(404)
    await service.apply([share(1, 'workbook', 1, embedTenant('by-share'))])
    expect([await status('by-share'), await status('BY-Share', 2)]).toEqual([200, 200])
    const recipient = { type: 'embedUser', embedTenantName: 'by-recipient', externalId: 'x' }
    await service.apply([{ kind: 'recipient', data: { deploymentId: 302, notificationId: 1, recipient } }])
    await service.apply([{ kind: 'deployment', data: { accountId: 'acme', id: 302, name: 'Late' } }])
    expect(await status('by-recipient')).toBe(200)
  })

  test('to a tenant group is known to sessions at once, with revisions of its own', async () => {
    const group = (revision: number, op: 'put' | 'delete' = 'put') => ({
      kind: 'tenantGroup',
      op,
      revision,
      data: { accountId: 'acme', embedTenantName: 'grouped', name: 'editors' },
    })
    const generate = async () =>
      (
        await service.post('/api/v1/embed/generate-session', {
          key: keys.admin,
          body: { deploymentId: 1, creatorMode: true, embedTenantName: 'grouped', tenantGroups: ['editors'] },
        })
      ).status
    expect(
      await outcomes({ kind: 'embedTenant', revision: 9, data: { accountId: 'acme', name: 'grouped' } }, group(1)),
    ).toEqual(['applied', 'applied'])
    expect(await generate()).toBe(200)
    expect(await outcomes(group(3, 'delete'), group(2))).toEqual(['applied', 'skipped'])
    expect(await generate()).toBe(400)
    expect(await outcomes(group(4))).toEqual(['applied'])
    expect(await generate()).toBe(200)
  })
})
