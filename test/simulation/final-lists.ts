import { endUsersRevocationKey } from '@embed-access/core/access/revocation.ts'
import { explainAccess } from '@embed-access/core/embed-access/explain.ts'
import { listWorkbookEmbedTenants } from '@embed-access/core/embed-access/list.ts'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { listEmbedTenants } from '@embed-access/core/embed-tenants/list.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { itemId } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { embedTenantOf } from '../embed-tenants/embed-tenant-of.ts'
import { foldersAbove, type Model, sources, visibleWorkbooks } from '../workbooks/model.ts'
import { apiKeysOf, storedApiKeys } from './api-keys.ts'
import type { Newest } from './newest.ts'
import type { Random } from './random.ts'
import { readPages } from './reader.ts'
import { account, dashboards, recipients, tenants } from './subjects.ts'

type Listed = {
  readonly id: number
  readonly name: string
  readonly folderPath: readonly { readonly name: string }[]
}

/**
 * Checks that every list is what the newest changes say, once all is delivered and the indexes have
 * caught up.
 */
export async function checkLists(
  storage: Storage,
  newest: Newest,
  sizes: readonly number[],
  random: Random,
): Promise<void> {
  const size = () => random.pick(sizes)
  for (const deploymentId of newest.deployments()) {
    await checkWorkbooks(storage, newest, deploymentId, size)
    await checkEmbedAccess(storage, newest, deploymentId, size)
    await checkNotifications(storage, newest, deploymentId, () => random.between(1, 3))
  }
  same('the API keys', await storedApiKeys(storage), apiKeysOf(newest.plan))
  const found = await readPages<{ name: string }>(size, (page) =>
    listEmbedTenants(storage, { accountId: account, ...page }),
  )
  const listed = found.map(({ name }) => name)
  same('embed tenants', listed, tenants.filter((name) => newest.tenant(name)).toSorted())
  for (const name of tenants) {
    const key = embedTenantKey(account, name)
    const tenant = embedTenantOf(
      (await batchGet(storage, [key], { consistent: true })).get(itemId(key)),
    )
    const told = (all: readonly { name: string; description?: string | undefined }[]) =>
      all.map(({ name, description }) => `${name} ${description}`)
    const { displayName, groups, attributes } = tenant ?? { groups: [], attributes: [] }
    const found = tenant && { displayName, groups: told(groups), attributes: told(attributes) }
    same(`embed tenant ${name}`, found, newest.tenant(name))
    const ending = endUsersRevocationKey(account, { embedTenantName: name })
    const read = await batchGet(storage, [ending], { table: 'sessions', consistent: true })
    same(`tokens of ${name} have ended`, read.size > 0, newest.isEverDeleted(name))
  }
}

async function checkWorkbooks(
  storage: Storage,
  newest: Newest,
  deploymentId: number,
  size: () => number,
) {
  const model = newest.workbooks(deploymentId)
  for (const embedTenantName of tenants) {
    for (const accessSource of sources) {
      const request = { accountId: account, deploymentId, embedTenantName, accessSource }
      const found = await readPages<Listed>(size, (page) =>
        listEmbedTenantWorkbooks(storage, { ...request, ...page }),
      )
      const expected = visibleWorkbooks(model, embedTenantName, accessSource).map((id) => ({
        name: newest.name('workbook', deploymentId, id),
        folders: foldersAbove(model, id).map((folder) =>
          newest.name('folder', deploymentId, folder),
        ),
      }))
      const shown = found.map(({ name, folderPath }) => ({
        name,
        folders: folderPath.map(({ name }) => name),
      }))
      same(
        `deployment ${deploymentId}, ${embedTenantName}, ${accessSource ?? 'any source'}`,
        shown,
        expected,
      )
    }
  }
}

/** Checks the other direction: exactly the tenants whose list has a workbook see it. */
async function checkEmbedAccess(
  storage: Storage,
  newest: Newest,
  deploymentId: number,
  size: () => number,
) {
  const model = newest.workbooks(deploymentId)
  for (const workbookId of model.workbooks.keys()) {
    const request = { accountId: account, deploymentId, workbookId }
    const found = await readPages<{ grantee: object }>(size, (page) =>
      listWorkbookEmbedTenants(storage, { ...request, ...page }),
    )
    const seesBy = (tenant: string, shares: Model['shares']) =>
      visibleWorkbooks({ ...model, shares }, tenant, undefined).includes(workbookId)
    const own = (name: string | null) => model.shares.filter(({ tenant }) => tenant === name)
    const named = tenants
      .filter((name) => newest.tenant(name) && seesBy(name, own(name)))
      .toSorted()
    const expected = [
      ...(seesBy('', own(null)) ? [{ type: 'allEmbedUsers' }] : []),
      ...named.map((name) => ({ type: 'embedTenant', name })),
    ]
    const grantees = found.map(({ grantee }) => grantee)
    const what = `deployment ${deploymentId}, who sees workbook ${workbookId}`
    same(what, grantees, expected)
    for (const tenant of tenants) {
      const explained = await explainAccess(storage, deploymentId, workbookId, tenant)
      same(
        `${what}, ${tenant} explained`,
        explained?.explanation.isSeen,
        seesBy(tenant, model.shares),
      )
    }
  }
}

async function checkNotifications(
  storage: Storage,
  newest: Newest,
  deploymentId: number,
  size: () => number,
) {
  for (const recipient of [undefined, ...recipients]) {
    for (const id of [undefined, ...dashboards]) {
      const request = {
        accountId: account,
        deploymentId,
        recipient,
        dashboard: id === undefined ? undefined : { id },
      }
      const found = await readPages<{ id: number; timezone: string }>(size, (page) =>
        listNotifications(storage, { ...request, ...page }),
      )
      const shown = found.map(({ id, timezone }) => `${id} ${timezone}`)
      const list =
        `notifications of deployment ${deploymentId}, ` +
        `${JSON.stringify({ recipient, dashboard: id })}`
      same(list, shown, newest.notifications(deploymentId, recipient, id))
    }
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)]
  if (is !== should)
    throw new Error(`In the end, ${what}\n  is        ${is}\n  should be ${should}`)
}
