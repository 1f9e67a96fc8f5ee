import { clinics, commerce, operations, readersOf } from './accounts.ts'
import { type Change, type JsonObject, put } from './change.ts'
import { appConfig, classicConfig, publishedDashboard } from './dashboards.ts'
import { type Folder, folders } from './folders.ts'
import { Random } from './random.ts'
import { type Subject, type SubjectName, subjects } from './subjects.ts'

export type Workbook = JsonObject & {
  deploymentId: number
  id: number
  name: string
  folderId: number | null
  type: 'WORKBOOK' | 'REPORT' | 'FOLDER'
}

const firstIds = new Map([
  [commerce, 5001],
  [operations, 7001],
  [clinics, 9001],
])
const topLevelSubjects = new Map<number, SubjectName[]>([
  [commerce, ['orders', 'campaigns', 'inventory', 'web']],
  [operations, ['finance', 'shipments', 'tickets']],
  [clinics, ['appointments']],
])

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

function calculatedFields(random: Random, { view, measures }: Subject): JsonObject {
  const [first, second] = random.sample(measures, 2)
  if (!first || !second || random.chance(0.7)) return {}
  return {
    [`${first[0]}_per_${second[0]}`]: {
      title: `${first[1]} / ${second[1]}`,
      sql: `MEASURE(${view}.${first[0]}) / NULLIF(MEASURE(${view}.${second[0]}), 0)`,
      type: 'number',
    },
  }
}

function workbook(
  random: Random,
  deploymentId: number,
  id: number,
  folder: Folder | null,
  name: string,
  subject: Subject,
) {
  const type = random.pick(['WORKBOOK', 'WORKBOOK', 'WORKBOOK', 'WORKBOOK', 'REPORT', 'REPORT'] as const)
  const owner = random.pick(readersOf(deploymentId))
  const createdAt = random.moment('2025-02-03T07:00:00Z', '2026-05-29T18:00:00Z')
  const made: Workbook = {
    deploymentId,
    id,
    name,
    type,
    folderId: folder?.id ?? null,
    slug: random.chance(0.9) ? `${slugOf(name)}-${id}` : null,
    meta: random.chance(0.6) ? { model: subject.view, tags: random.sample(['weekly', 'kpi', 'team', 'draft'], 2) } : {},
    calculatedFields: calculatedFields(random, subject),
    createdAt,
    updatedAt: random.moment(createdAt, '2026-10-30T18:00:00Z'),
    createdBy: owner.id,
    userId: owner.id,
    user: random.chance(0.95)
      ? { id: owner.id, email: owner.email, firstName: owner.firstName ?? null, picture: owner.picture ?? null }
      : null,
  }
  if (random.chance(0.5)) made.isFavorite = random.pick([true, false, null])
  if (type !== 'WORKBOOK') return made

  const brief = { deploymentId, workbookId: id, title: name, ownerId: owner.id }
  made.publishedDashboard = random.chance(0.75) ? publishedDashboard(random, subject, brief) : null
  if (random.chance(0.15)) {
    const isApp = random.chance(0.35)
    const config = isApp ? appConfig(subject, name) : classicConfig(random, subject, name, [id * 10 + 40_000])
    made.dashboardDraft = { ...config, description: 'Work in progress' }
    made.dashboardPublished = random.chance(0.6) ? config : null
  }
  return made
}

/** A workbook of type FOLDER: an entry of the list that has no content of its own. */
function binder(random: Random, deploymentId: number, id: number, folder: Folder | null): Workbook {
  const name = `${folder?.name ?? 'Company'} Archive ${random.pick(['2024', '2025'])}`
  const createdAt = random.moment('2025-01-06T08:00:00Z', '2025-12-19T17:00:00Z')
  return {
    deploymentId,
    id,
    name,
    type: 'FOLDER',
    folderId: folder?.id ?? null,
    meta: {},
    calculatedFields: {},
    createdAt,
    updatedAt: createdAt,
  }
}

function make(deploymentId: number): Workbook[] {
  const random = new Random(`workbooks of ${deploymentId}`)
  const made: Workbook[] = []
  const nextId = () => (firstIds.get(deploymentId) ?? 1) + made.length
  for (const subject of (topLevelSubjects.get(deploymentId) ?? []).map((name) => subjects[name])) {
    for (const title of random.sample(subject.titles, 4)) {
      made.push(workbook(random, deploymentId, nextId(), null, title, subject))
    }
  }
  for (const folder of folders.filter((each) => each.deploymentId === deploymentId)) {
    const subject = subjects[folder.about]
    for (const title of random.sample(subject.titles, deploymentId === clinics ? 2 : random.integer(4, 7))) {
      const name = random.chance(0.5) ? `${title} – ${folder.name}` : title
      made.push(workbook(random, deploymentId, nextId(), folder, name, subject))
    }
    if (random.chance(0.2)) made.push(binder(random, deploymentId, nextId(), folder))
  }
  return made
}

export const workbooks: Workbook[] = [commerce, operations, clinics].flatMap(make)

export const workbookChanges = (): Change[] => workbooks.map((each) => put('workbook', each))
