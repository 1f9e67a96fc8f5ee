import { listWorkbookEmbedTenants } from '@embed-access/core/embed-access/list.ts'
import type { Refusal } from '@embed-access/core/refusal.ts'
import type { Page, PageRequest } from '@embed-access/core/storage/page.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import type { Source } from '../workbooks/model.ts'
import type { Setting } from './delivery.ts'
import { mayShow } from './shown.ts'
import { account } from './subjects.ts'

/** More pages than a list of the simulation can have. */
const mostPages = 200

/** All items of a list, page after page; a page may have fewer items than it could, even none. */
export async function readPages<Item>(
  size: () => number,
  read: (request: PageRequest) => Promise<Page>,
  onPage: (items: readonly Item[]) => void = () => {},
): Promise<Item[]> {
  const all: Item[] = []
  let after: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const first = size()
    const { items, pageInfo } = await read({ first, after })
    const parsed = items.map((item) => JSON.parse(item) as Item)
    if (parsed.length > first) throw new Error(`A page of ${first} has ${parsed.length} items.`)
    onPage(parsed)
    all.push(...parsed)
    if (!pageInfo.hasNextPage) return all
    if (pageInfo.endCursor === null || pageInfo.endCursor === after)
      throw new Error('The cursor does not move on.')
    after = pageInfo.endCursor
  }
  throw new Error(`The list has no end after ${mostPages} pages.`)
}

type Readers = {
  readonly tenants: readonly string[]
  readonly sources: readonly Source[]
  readonly sizes: readonly number[]
}

/**
 * Reads lists for as long as changes are delivered, and compares every page with what it may show.
 */
export async function readWhile(
  goesOn: () => boolean,
  readers: Readers,
  setting: Setting,
): Promise<void> {
  const { network, timeline, random } = setting
  const reader = { name: 'reader', dead: false }
  const storage = network.storage(reader)
  while (goesOn()) {
    const [tenant, source] = [random.pick(readers.tenants), random.pick(readers.sources)]
    let began = 0
    const read = (page: PageRequest) => {
      began = timeline.tick()
      network.beginPage(reader)
      const include = random.chance(0.3) ? ('accessSources' as const) : undefined
      const list = {
        accountId: account,
        deploymentId: 1,
        embedTenantName: tenant,
        accessSource: source,
      }
      return listEmbedTenantWorkbooks(storage, { ...list, ...page, include })
    }
    const check = (workbooks: readonly { readonly id: number }[]) => {
      const page = { tenant, source, began, ended: timeline.tick() }
      const wrong = workbooks.find(({ id }) => !mayShow(timeline, page, id))
      if (wrong)
        throw new Error(
          `Workbook ${wrong.id} must not be shown to ${tenant} by ${source ?? 'any source'}.`,
        )
    }
    const unlessUnavailable = (error: unknown) => {
      if (!isDatabaseUnavailable(error) && (error as Refusal).code !== 'workbook_not_found')
        throw error
    }
    await readPages(() => random.pick(readers.sizes), read, check).catch(unlessUnavailable)
    if (random.chance(0.5)) {
      network.beginPage(reader)
      await readWhoSees(storage, setting).catch(unlessUnavailable)
    }
  }
}

/** Reads who sees a workbook, and compares each who is named with who may have seen it. */
async function readWhoSees(storage: Storage, { timeline, random }: Setting): Promise<void> {
  const workbookId = random.pick([1, 2, 3])
  const began = timeline.tick()
  const request = { accountId: account, deploymentId: 1, workbookId, first: random.between(1, 3) }
  const { items } = await listWorkbookEmbedTenants(storage, request)
  const ended = timeline.tick()
  for (const item of items) {
    const { name = '' } = (JSON.parse(item) as { grantee: { name?: string } }).grantee
    const page = { tenant: name, source: undefined, began, ended, isOneMoment: true } as const
    if (mayShow(timeline, page, workbookId)) continue
    throw new Error(
      `Workbook ${workbookId} is said to be seen by ${name || 'all embed users'}, and must not be.`,
    )
  }
}
