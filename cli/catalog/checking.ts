import { deploymentKey } from '@embed-access/core/access/keys.ts'
import { itemsOf, ownerOf } from '@embed-access/core/catalog/export.ts'
import { fieldsIn, type Kind, nameOf } from '@embed-access/core/catalog/kind.ts'
import { kindOf, kinds } from '@embed-access/core/catalog/kinds.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { stateOf } from '@embed-access/core/embed-access/explain.ts'
import { jsonIn } from '@embed-access/core/storage/document.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import { type Item, isLive, itemId } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isTimeZone } from '@embed-access/core/time.ts'
import { type Folder, folderPath } from '@embed-access/core/workbooks/folder-path.ts'
import { presence } from '../../local/explanation-sentences.ts'
import { referencesOf } from './referring.ts'

/** By the kind of a missing thing: what that means for each thing that refers to it. */
const effects: Record<string, string> = {
  deployment: ' All of it counts for nothing.',
  folder: ' It counts as top level.',
  workbook: ' It counts as top level.',
  share: ' It counts for nothing.',
}

type Dashboard = { id: number; publicId: string; deploymentId: number; workbookId: number }
type Notification = { id: number; dashboardId?: number; cronExpression?: string; timezone?: string }

type Published = { workbook: Item; dashboard: Dashboard }

/**
 * Returns a sentence for each thing that is wrong in a deployment. Such a thing refers to another
 * that is not there, contradicts itself, or is a folder that lies too deep or within itself
 * (docs/decisions/01-mirror.md). It reads both tables whole.
 */
export async function checkDeployment(storage: Storage, deploymentId: number): Promise<string[]> {
  const deployment = await getItem(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId
  const present = new Set<string>()
  const wanted: ReturnType<typeof wantedBy> = []
  const folders = new Map<number | null, Folder>()
  const published: Published[] = []
  const notifications: Notification[] = []
  for await (const { items } of itemsOf(storage)) {
    for (const item of items.filter(isLive)) {
      const owner = ownerOf(item)
      const isInside = owner.deploymentId === deploymentId
      // This deployment refers to nothing of another account.
      if (isInside || owner.accountId === accountId) present.add(itemId(item))
      const kind = kindOf(item)
      if (!kind || !isInside) continue
      wanted.push(...wantedBy(kind, item, accountId))
      if (kind.name === 'folder') {
        const folder = fieldsIn(item, kinds.folder.data)
        folders.set(folder.id, folder)
      }
      if (kind.name === 'workbook' && item.dashboardId !== undefined) {
        const { publishedDashboard: dashboard } = JSON.parse(jsonIn(item))
        published.push({ workbook: item, dashboard })
      }
      if (kind.name === 'notification') notifications.push(JSON.parse(jsonIn(item)))
    }
  }
  const dashboardIds = new Set(published.map(({ dashboard }) => dashboard.id))
  const absence = presence(`Deployment ${deploymentId}`, stateOf(deployment)) + effects.deployment
  return [
    ...(isLive(deployment) ? [] : [absence]),
    ...wanted.flatMap(({ id, problem }) => (present.has(id) ? [] : [problem])),
    ...problemsOfFolders(folders),
    ...published.flatMap(problemsOfDashboard),
    ...problemsOfPublicIds(published),
    ...notifications.flatMap((each) => [...problemsOfNotification(each, dashboardIds)]),
  ]
}

/** The things to which an item refers, except its deployment. `problem`: if one is not there. */
const wantedBy = (kind: Kind, item: Item, accountId: string | undefined) =>
  referencesOf(kind, item, accountId)
    .filter(({ to }) => to.name !== 'deployment')
    .map(({ id, to, identity }) => {
      const name = nameOf(kind, item)
      const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
      const effect = effects[kind.name] ?? ''
      const problem = `${subject} refers to ${nameOf(to, identity)}, which is not there.${effect}`
      return { id, problem }
    })

/** Names each folder that counts as top level although its parent exists. */
const problemsOfFolders = (folders: ReadonlyMap<number | null, Folder>): string[] =>
  [...folders.values()]
    .filter(
      ({ id, parentId }) =>
        folders.has(parentId) && folderPath(id, (each) => folders.get(each)).folders.length === 1,
    )
    .map(({ id }) => `Folder ${id} lies too deep or within itself.${effects.folder}`)

function problemsOfDashboard({ workbook, dashboard }: Published): string[] {
  const { id, workbookId, deploymentId } = dashboard
  if (workbookId === workbook.id && deploymentId === workbook.deploymentId) return []
  const place = `workbook ${workbookId} of deployment ${deploymentId}`
  return [`Dashboard ${id} of workbook ${workbook.id} says that it is of ${place}.`]
}

const problemsOfPublicIds = (published: readonly Published[]): string[] =>
  [...Map.groupBy(published, ({ dashboard }) => dashboard.publicId)]
    .filter(([, same]) => same.length > 1)
    .map(([publicId, same]) => {
      const workbooks = same.map(({ workbook }) => workbook.id).join(', ')
      return `Workbooks ${workbooks} have dashboards with the same public id, ${quoted(publicId)}.`
    })

function* problemsOfNotification(
  { id, dashboardId, cronExpression = '* * * * *', timezone = 'UTC' }: Notification,
  published: ReadonlySet<number>,
): Generator<string> {
  const which = `Notification ${id}`
  if (dashboardId !== undefined && !published.has(dashboardId))
    yield `${which} refers to dashboard ${dashboardId}, which no workbook publishes.`
  if (!isCron(cronExpression))
    yield `${which} has an invalid cron expression: ${quoted(cronExpression)}.`
  if (!isTimeZone(timezone)) yield `${which} has an unknown time zone: ${quoted(timezone)}.`
}

/** The numbers that a minute, hour, day of the month, month and day of the week may be. */
const cronFields = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12 },
  { least: 0, most: 7 },
]

/**
 * Whether a cron expression of five fields is valid. Schedulers differ in what six or seven fields
 * and names such as `@daily` mean. So all of these pass.
 */
function isCron(expression: string): boolean {
  const fields = expression.trim().split(/\s+/)
  if (fields[0]?.startsWith('@')) return true
  if (fields.length !== cronFields.length) return fields.length === 6 || fields.length === 7
  return cronFields.every(({ least, most }, index) => {
    const field = fields[index] ?? ''
    const numbers = (field.match(/\d+/g) ?? []).map(Number)
    // A range begins where a number begins. Otherwise the search would try each digit of a long
    // number as a beginning.
    const ranges = [...field.matchAll(/(?<!\d)(\d+)-(\d+)/g)]
    return (
      /^[\w*?,/#-]+$/.test(field) &&
      // This refuses a step of 0, and an empty entry of a list.
      !/\/0*(\D|$)|^,|,,|,$/.test(field) &&
      numbers.every((number) => number >= least && number <= most) &&
      ranges.every(([, first, last]) => Number(first) <= Number(last))
    )
  })
}
