import { deploymentKey } from '../access/keys.ts'
import { stateOf } from '../embed-access/explain.ts'
import { type Item, isLive, itemId } from '../storage/batch-get.ts'
import { read } from '../storage/conditional-writes.ts'
import { documentOf } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import { isTimeZone } from '../time.ts'
import { type Folder, folderPath } from '../workbooks/folder-path.ts'
import { presence } from './explain.ts'
import { itemsOf, ownerOf } from './export.ts'
import { type Kind, nameOf } from './kind.ts'
import { type KindName, kindOf, kinds } from './kinds.ts'
import { quoted } from './quoted.ts'
import { referencesOf } from './references.ts'

/** What a thing counts for while another one is not there to which it refers. */
const effects: Readonly<Record<string, string>> = {
  deployment: ' All of it counts for nothing.',
  folder: ' It counts as top level.',
  workbook: ' It counts as top level.',
  share: ' It counts for nothing.',
}

type Dashboard = { id: number; publicId: string; deploymentId: number; workbookId: number }
type Notification = { id: number; dashboardId?: number; cronExpression?: string; timezone?: string }

/**
 * Says in sentences what in a deployment refers to nothing, lies too deep or within itself,
 * contradicts itself, or counts for nothing (docs/decisions/01-mirror.md). It reads both tables
 * whole.
 */
export async function checkDeployment(storage: Storage, deploymentId: number): Promise<string[]> {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId as string | undefined
  const present = new Set<string>()
  const wanted: { readonly id: string; readonly problem: string }[] = []
  const folders = new Map<number | null, Folder>()
  const dashboards: ReturnType<typeof dashboardIn>[] = []
  const notifications: Notification[] = []
  for await (const { items } of itemsOf(storage)) {
    for (const item of items.filter(isLive)) {
      const owner = ownerOf(item)
      const isInside = owner.deploymentId === deploymentId
      // Stryker disable next-line ConditionalExpression: It remembers more things, and says the same.
      if (isInside || owner.accountId === accountId) present.add(itemId(item))
      const kind = kindOf(item)
      if (!kind || !isInside) continue
      wanted.push(...wantedBy(kind, item, accountId))
      if (kind.name === 'folder') folders.set(item.id as number, item as Item & Folder)
      if (kind.name === 'workbook' && item.dashboardId !== undefined)
        dashboards.push(dashboardIn(item))
      if (kind.name === 'notification') notifications.push(JSON.parse(documentOf(item)))
    }
  }
  const dashboardIds = new Set([undefined, ...dashboards.map(({ id }) => id)])
  return [
    ...(isLive(deployment)
      ? []
      : [presence(`Deployment ${deploymentId}`, stateOf(deployment)) + effects.deployment]),
    ...wanted.flatMap(({ id, problem }) => (present.has(id) ? [] : [problem])),
    ...problemsOfFolders(folders),
    ...problemsOfDashboards(dashboards),
    ...notifications.flatMap((each) => [...problemsOfNotification(each, dashboardIds)]),
  ]
}

/** What a thing refers to besides its deployment, and what to say if that is not there. */
const wantedBy = (kind: Kind, item: Item, accountId: string | undefined) =>
  referencesOf(kind.name as KindName, item, accountId)
    .filter(({ to }) => to !== 'deployment')
    .map(({ id, to, identity }) => {
      const problem = `${nameOf(kind, item)} refers to ${nameOf(kinds[to], identity)}, which is not there.`
      return {
        id,
        problem: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${effects[kind.name] ?? ''}`,
      }
    })

/** Names the folders whose parent is there, and which yet count as top level. */
const problemsOfFolders = (folders: ReadonlyMap<number | null, Folder>): string[] =>
  [...folders.values()]
    .filter(
      ({ id, parentId }) =>
        folders.has(parentId) && folderPath(id, (each) => folders.get(each)).length === 1,
    )
    .map(({ id }) => `Folder ${id} lies too deep or within itself.${effects.folder}`)

function dashboardIn(item: Item) {
  const { id, publicId, workbookId, deploymentId } = JSON.parse(documentOf(item))
    .publishedDashboard as Dashboard
  const isAtHome = workbookId === item.id && deploymentId === item.deploymentId
  const place = `workbook ${workbookId} of deployment ${deploymentId}`
  const problems = isAtHome
    ? []
    : [`Dashboard ${id} of workbook ${item.id} says that it is of ${place}.`]
  return { workbook: item.id, id, publicId, problems }
}

function problemsOfDashboards(all: readonly ReturnType<typeof dashboardIn>[]): string[] {
  const alike = [...Map.groupBy(all, ({ publicId }) => publicId)].filter(
    ([, { length }]) => length > 1,
  )
  return [
    ...all.flatMap(({ problems }) => problems),
    ...alike.map(([publicId, dashboards]) => {
      const workbooks = dashboards.map(({ workbook }) => workbook).join(', ')
      return `Workbooks ${workbooks} have dashboards of one public id, ${quoted(publicId)}.`
    }),
  ]
}

function* problemsOfNotification(
  { id, dashboardId, cronExpression = '* * * * *', timezone = 'UTC' }: Notification,
  published: ReadonlySet<number | undefined>,
): Generator<string> {
  const which = `Notification ${id}`
  if (!published.has(dashboardId))
    yield `${which} refers to dashboard ${dashboardId}, which no workbook publishes.`
  if (!isCron(cronExpression))
    yield `${which} has a cron expression that can't be: ${quoted(cronExpression)}.`
  if (!isTimeZone(timezone))
    yield `${which} has a time zone that is not known: ${quoted(timezone)}.`
}

/**
 * Whether a cron expression of five fields can be. Schedulers have forms of their own for six or
 * seven: those pass.
 */
function isCron(expression: string): boolean {
  const fields = expression.trim().split(/\s+/)
  // The largest minute, hour, day of the month, month and day of the week.
  const largest = [59, 23, 31, 12, 7]
  if (fields.length !== largest.length) return fields.length === 6 || fields.length === 7
  return fields.every((field, index) => {
    const numbers = field.match(/\d+/g) ?? []
    const ranges = [...field.matchAll(/(\d+)-(\d+)/g)]
    return (
      /^[\w*?,/#-]+$/.test(field) &&
      numbers.every((number) => Number(number) <= (largest[index] as number)) &&
      ranges.every(([, first, last]) => Number(first) <= Number(last))
    )
  })
}
