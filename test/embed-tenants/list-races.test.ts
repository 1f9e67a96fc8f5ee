import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { listEmbedTenants } from '@embed-access/core/embed-tenants/list.ts'
import { requireEmbedTenant } from '@embed-access/core/embed-tenants/require-embed-tenant.ts'
import { queryIndex } from '@embed-access/core/storage/query.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateOn } from '../sessions/past-the-gateway.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { readPages } from '../simulation/reader.ts'
import { acmeTenant, admin, embedTenant, put, revised, share, without } from '../support/catalog.ts'
import { apply, interrupted, outcomesOf } from '../support/database.ts'

const listed = async (
  storage: MemoryTables['storage'],
  accountId: string,
  size = 2,
  search?: string,
) =>
  (
    await readPages<{ name: string }>(
      () => size,
      (page) => listEmbedTenants(storage, { accountId, search, ...page }),
    )
  ).map(({ name }) => name)

const inIndex = async (storage: MemoryTables['storage'], partition: string) =>
  (await queryIndex(storage, { index: 'byAccount', partition })).items.map(({ order }) => order)

const many = ['a0', 'a1', 'a2', 'a3', 'a4'].map((name) => acmeTenant(name))

test('A late index shows no deleted tenant, and a page costs a Query and a BatchGet', async () => {
  const tables = new MemoryTables()
  await apply(tables.storage, many)
  tables.readLate()
  const late = [without(acmeTenant('a1')), without(acmeTenant('a2')), acmeTenant('a9')]
  await apply(tables.storage, late)
  const [cost, { items, pageInfo }] = await tables.measure(() =>
    listEmbedTenants(tables.storage, { accountId: 'acme' }),
  )
  expect(items.map((json) => JSON.parse(json).name)).toEqual(['a0', 'a3', 'a4'])
  expect([cost.trips, pageInfo.hasNextPage]).toEqual([[['Query'], ['BatchGet']], false])
  for (const size of [1, 2, 3, 4])
    expect(await listed(tables.storage, 'acme', size)).toEqual(['a0', 'a3', 'a4'])
  tables.catchUp()
  expect(await listed(tables.storage, 'acme')).toEqual(['a0', 'a3', 'a4', 'a9'])
})

test('A definition lists no tenant that came and went while it was written', async () => {
  const { storage } = new MemoryTables()
  const isWrite = (command: object) => command instanceof TransactWriteCommand
  const racing = interrupted(storage, 1, isWrite, () =>
    apply(storage, [acmeTenant('gone'), without(acmeTenant('gone'))]),
  )
  const group = { accountId: 'acme', embedTenantName: 'gone', name: 'buyers' }
  expect(await outcomesOf(racing, [put('tenantGroup', group)])).toEqual(['applied'])
  expect(await inIndex(storage, 'acme')).toEqual([])
})

const accounts = ['acme', 'other']
const deployments = [1, 2, 3]
const names = ['ab', 'ab-c', 'abc', 'b0']

const events = fc.array(
  fc.record({
    does: fc.constantFrom('put', 'delete', 'define', 'undefine', 'generate', 'share', 'claim'),
    account: fc.constantFrom(...accounts),
    deploymentId: fc.constantFrom(...deployments),
    name: fc.constantFrom(...names),
    revision: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  { maxLength: 25 },
)

type Event = typeof events extends fc.Arbitrary<(infer Each)[]> ? Each : never

/** Which tenants exist, by the rules of docs/specification.md. */
class Model {
  readonly #tenants = new Map<string, { isThere: boolean; revision?: number | undefined }>()
  readonly #named: { deploymentId: number; name: string }[] = []
  /** The lowest revision of each account that says that a deployment is its own. */
  readonly #claims = new Map<number, Map<string, number>>()

  ownerOf(deploymentId: number): string | undefined {
    const claims = [...(this.#claims.get(deploymentId) ?? [])].sort(([, a], [, b]) => a - b)
    return claims[0]?.[0]
  }

  namesOf = (account: string): string[] =>
    names.filter((name) => this.#tenants.get(`${account} ${name}`)?.isThere)

  take({ does, account, deploymentId, name, revision }: Event): void {
    const id = `${account} ${name}`
    const stored = this.#tenants.get(id)
    const { revision: known = 0 } = stored ?? {}
    if (does === 'put' || does === 'delete') {
      if (revision !== undefined && revision <= known) return
      this.#tenants.set(id, { isThere: does === 'put', revision: revision ?? stored?.revision })
    }
    if (does === 'define') this.#name(account, name)
    if (does === 'generate' && deployments.some((each) => this.ownerOf(each) === account))
      this.#tenants.set(id, { ...stored, isThere: true })
    if (does === 'share') this.#named.push({ deploymentId, name })
    if (does === 'claim') {
      const claims = this.#claims.get(deploymentId) ?? new Map<string, number>()
      const own = claimRevision(account, revision)
      this.#claims.set(deploymentId, claims.set(account, Math.min(own, claims.get(account) ?? own)))
    }
    for (const { deploymentId, name } of this.#named) this.#name(this.ownerOf(deploymentId), name)
  }

  /** A deleted tenant stays deleted. */
  #name(account: string | undefined, name: string): void {
    const id = `${account} ${name}`
    if (account !== undefined && !this.#tenants.has(id)) this.#tenants.set(id, { isThere: true })
  }
}

/** No two accounts send the same one. */
const claimRevision = (account: string, revision = 1) => 2 * revision + accounts.indexOf(account)

function changeOf({ does, account: accountId, deploymentId, name, revision }: Event) {
  const own = put('embedTenant', { accountId, name })
  const group = put('tenantGroup', { accountId, embedTenantName: name, name: 'g' })
  const change = {
    put: own,
    delete: without(own),
    define: group,
    undefine: without(group),
    share: share(deploymentId, 'folder', 7, embedTenant(name)),
    claim: put('deployment', { accountId, id: deploymentId, name: 'D' }),
  }[does as Exclude<typeof does, 'generate'>]
  const newest = does === 'claim' ? claimRevision(accountId, revision) : revision
  return newest === undefined ? change : revised(newest, change)
}

test('The list has exactly the tenants that the other operations know', async () => {
  const everything = fc.asyncProperty(events, fc.integer({ min: 1, max: 3 }), async (all, size) => {
    const [{ storage }, model] = [new MemoryTables(), new Model()]
    const account = (id: string) => put('account', { id, name: id, embeddingEnabled: true })
    await apply(storage, accounts.map(account))
    for (const event of all) {
      const { does, account: accountId, name: embedTenantName } = event
      const deploymentId = deployments.find((id) => model.ownerOf(id) === accountId)
      if (does !== 'generate')
        expect(await outcomesOf(storage, [changeOf(event)])).not.toContain('failed')
      else if (deploymentId !== undefined)
        await generateOn(storage, { deploymentId, embedTenantName }, { ...admin, accountId })
      model.take(event)
    }
    for (const accountId of accounts) {
      const expected = model.namesOf(accountId)
      expect(await listed(storage, accountId, size)).toEqual(expected)
      expect(await inIndex(storage, accountId)).toEqual(expected)
      for (const search of ['a', 'ab', 'ab-', 'c'])
        expect(await listed(storage, accountId, size, search)).toEqual(
          expected.filter((name) => name.startsWith(search)),
        )
      const deploymentId = deployments.find((id) => model.ownerOf(id) === accountId)
      for (const name of deploymentId === undefined ? [] : names) {
        const recent = recentLookups(() => 0)
        const asked = requireEmbedTenant(
          storage,
          { ...admin, accountId },
          deploymentId ?? 0,
          name,
          recent,
        )
        const isKnown = await asked.then(
          () => true,
          ({ code }) => code !== 'embed_tenant_not_found',
        )
        expect([name, isKnown]).toEqual([name, expected.includes(name)])
      }
    }
  })
  await fc.assert(everything, { numRuns: 150 })
})
