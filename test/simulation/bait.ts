import {
  allEmbedUsers,
  type Change,
  embedTenant,
  folder,
  put,
  share,
  without,
  workbook,
} from '../support/catalog.ts'
import { type Planned, thingOf } from './plan.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

const north = embedTenant('north')
const shared = share(1, 'folder', 7, north)
const inside = folder(1, 8, 7)
const workbookIn = (folderId: number | null) => workbook(1, 1, { folderId })

const theShare = { opens: shared, closes: without(shared) }
const aWorkbook = { comesIn: workbookIn(8), goesOut: workbookIn(null) }

/**
 * Folders in folder 8, each shared with everybody. A page of their workbooks needs more than one
 * transaction.
 */
const crowd = Array.from({ length: 40 }, (_, index) => 100 + index).flatMap((id) => [
  folder(1, id, 8),
  share(1, 'folder', id, north),
  share(1, 'folder', id, allEmbedUsers),
  workbook(1, id, { folderId: id }),
])

type Door = {
  readonly before: readonly Change[]
  readonly opens: Change
  readonly closes: Change
  readonly comesIn: Change
  readonly goesOut: Change
  /** Whether pages have so many folders that one transaction does not read them. */
  readonly isCrowded?: true
}

/**
 * A folder above and a folder in it. Folder 10 is shared and not there. So indexes, however late,
 * always name what lies in it, and nothing shows it.
 */
const crowded: Door = {
  before: [shared, share(1, 'folder', 10, north), workbookIn(9)],
  opens: inside,
  closes: folder(1, 8, 10),
  comesIn: folder(1, 9, 8),
  goesOut: folder(1, 9, 10),
  isCrowded: true,
}

/**
 * What opens and closes a door, and what comes in and goes out. Folder 8 is to lie in folder 7,
 * workbook 1 below it.
 */
const doors: readonly Door[] = [
  { before: [inside], ...theShare, ...aWorkbook },
  { before: [workbookIn(8)], ...theShare, comesIn: inside, goesOut: folder(1, 8, null) },
  { before: [shared], opens: inside, closes: folder(1, 8, null), ...aWorkbook },
  // It rarely opens just between two transactions of one page, so it is tried more often.
  ...[crowded, crowded],
]

/**
 * A workbook that is put into a folder, alone or with the folder that it lies in, only while
 * nothing shows that folder. No page may ever show it. One that looks at the share, or at the
 * folder, before it looks at what comes in, will.
 */
export function bait(random: Random) {
  const { before, opens, closes, comesIn, goesOut, isCrowded } = random.pick(doors)
  // Lets pages begin while the door is open, and end while it is closed. A crowded door needs none:
  // two transactions of one page are close together.
  const meanwhile = () =>
    isCrowded ? [] : Array.from({ length: random.between(3, 8) }, () => folder(1, 99, null))
  const cycles = Array.from({ length: isCrowded ? 30 : random.between(2, 5) }, () => [
    ...[...meanwhile(), closes, comesIn],
    ...[...meanwhile(), goesOut, opens],
  ])
  const first = [
    put('deployment', { accountId: account, id: 1, name: 'Bait' }),
    folder(1, 7, null),
    ...before,
    opens,
  ]
  const plan: Planned[] = []
  for (const [index, change] of [...first, ...cycles.flat()].entries()) {
    plan.push(planned(change, index, plan.at(-1)))
  }
  return {
    there: isCrowded ? crowd.map((change) => planned(change, 1)) : [],
    plan,
    sizes: isCrowded ? [100] : undefined,
  }
}

const identifying = [
  ...['accountId', 'deploymentId', 'notificationId', 'id'],
  ...['resource', 'grantee', 'recipient'],
]

/** A change whose revision is its order. */
export function planned(change: Change, order: number, after?: Planned): Planned {
  const data = change.data as Readonly<Record<string, unknown>>
  const identity = identifying.flatMap((name) => data[name] ?? [])
  return {
    thing: thingOf(change.kind, identity),
    change: { ...change, revision: order },
    order,
    counts: true,
    after,
  }
}
