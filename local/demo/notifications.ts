import { clinics, commerce, operations, readersOf } from './accounts.ts'
import { type Change, type JsonObject, put } from './change.ts'
import { folders } from './folders.ts'
import { Random } from './random.ts'
import { type Subject, subjects } from './subjects.ts'
import { tenants } from './tenants.ts'
import { type Workbook, workbooks } from './workbooks.ts'

const schedules: [cronExpression: string, humanReadableSchedule: string][] = [
  ['0 8 * * *', 'Every day at 8:00 AM'],
  ['30 7 * * 1-5', 'Monday to Friday at 7:30 AM'],
  ['0 9 * * 1', 'Every Monday at 9:00 AM'],
  ['15 16 * * 5', 'Every Friday at 4:15 PM'],
  ['0 6 1 * *', 'On day 1 of every month at 6:00 AM'],
  ['0 12 15 * *', 'On day 15 of every month at 12:00 PM'],
  ['0 */4 * * *', 'Every 4 hours'],
  ['45 17 * * 2,4', 'Every Tuesday and Thursday at 5:45 PM'],
  ['0 7 1 1,4,7,10 *', 'On day 1 of January, April, July and October at 7:00 AM'],
]
const timezones = ['UTC', 'America/New_York', 'America/Los_Angeles', 'Europe/Amsterdam', 'Europe/Oslo', 'Asia/Tokyo']

function filters(random: Random, { view, time, dimensions, measures }: Subject): JsonObject[] {
  const dimension = random.pick(dimensions)
  const measure = random.pick(measures)
  const choices: JsonObject[] = [
    { member: `${view}.${dimension[0]}`, operator: 'equals', value: random.pick(dimension[2]), caseSensitive: true },
    { member: `${view}.${dimension[0]}`, operator: 'contains', value: 'a', caseSensitive: false },
    { member: `${view}.${dimension[0]}`, operator: 'notEquals', value: random.pick(dimension[2]), caseSensitive: null },
    { member: `${view}.${measure[0]}`, operator: 'gt', value: '100' },
    {
      member: `${view}.${time}`,
      operator: 'inDateRange',
      value: 'last 30 days',
      startInclusive: true,
      endInclusive: random.pick([true, false, null]),
    },
  ]
  return random.sample(choices, random.integer(0, 2))
}

function subjectOf(workbook: Workbook): Subject {
  const folder = folders.find(
    ({ id, deploymentId }) => id === workbook.folderId && deploymentId === workbook.deploymentId,
  )
  return subjects[folder?.about ?? 'orders']
}

type Notification = { deploymentId: number; id: number; data: JsonObject }

function schedule(deploymentId: number, firstId: number, count: number): Notification[] {
  const random = new Random(`notifications of ${deploymentId}`)
  const published = workbooks.flatMap((workbook) => {
    const dashboardId = (workbook.publishedDashboard as JsonObject | null | undefined)?.id
    const isHere = workbook.deploymentId === deploymentId && workbook.folderId !== null
    return isHere && typeof dashboardId === 'number' ? [{ dashboardId, subject: subjectOf(workbook) }] : []
  })
  const busy = random.sample(published, Math.ceil(count / 3))
  let createdAt = ''
  return Array.from({ length: count }, (_, index) => {
    const { dashboardId, subject } = random.pick(busy)
    const [cronExpression, humanReadableSchedule] = random.pick(schedules)
    const switcher = random.sample(subject.dimensions, 2).map(([name]) => `${subject.view}.${name}`)
    // Every 12th was made in the same second as the one before it: then the id decides the order.
    if (index % 12 !== 11) createdAt = random.moment('2026-01-12T08:00:00Z', '2026-10-23T17:00:00Z')
    const id = firstId + index
    const data = {
      id,
      deploymentId,
      dashboardId,
      cronExpression,
      humanReadableSchedule,
      timezone: random.pick(timezones),
      isEnabled: random.chance(0.85),
      notificationEnabled: random.chance(0.9),
      notificationAiSummary: random.chance(0.3),
      notificationFormat: random.pick(['pdf', 'pdf', 'png', 'csv', 'xlsx']),
      filters: filters(random, subject),
      memberSwitchers: random.chance(0.3) ? [{ member: switcher[0] ?? '', selected: switcher[1] ?? '' }] : [],
      timeGrains: random.chance(0.4)
        ? [{ grain: random.pick(['day', 'week', 'month', 'quarter']), member: `${subject.view}.${subject.time}` }]
        : [],
      createdAt,
    }
    return { deploymentId, id, data }
  })
}

const notifications = [...schedule(commerce, 401, 48), ...schedule(operations, 601, 26), ...schedule(clinics, 801, 2)]

export const notificationChanges = (): Change[] => notifications.map(({ data }) => put('notification', data))

/** Users and embed users in turn; every 17th notification has no recipient. */
export function recipients(): Change[] {
  const random = new Random('recipients')
  const embedUsers = tenants.flatMap(({ name, externalIds }) =>
    externalIds.map((externalId): JsonObject => ({ type: 'embedUser', embedTenantName: name, externalId })),
  )
  return notifications.flatMap(({ deploymentId, id }, index) => {
    if (index % 17 === 16) return []
    const users = readersOf(deploymentId).map((user): JsonObject => ({ type: 'user', userId: user.id }))
    const ofUsers = random.sample(users, random.integer(1, 4))
    const ofEmbedUsers = deploymentId === clinics ? [] : random.sample(embedUsers, random.integer(0, 3))
    return [...ofUsers, ...ofEmbedUsers].map((recipient) =>
      put('recipient', { deploymentId, notificationId: id, recipient }),
    )
  })
}
