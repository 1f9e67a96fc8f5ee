import { folder, put, share, workbook } from '../changes.ts'
import { type Planned, thingOf } from './plan.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

const shared = share(1, 'folder', 7, { type: 'embedTenant', name: 'north' })
const unshared = { ...shared, op: 'delete' as const }

/** What opens and closes a door, and what comes in and goes out. Folder 8 is to lie in folder 7, workbook 1 in folder 8. */
const doors = {
  'the share, a workbook': [shared, unshared, workbook(1, 1, { folderId: 8 }), workbook(1, 1, { folderId: null })],
  'the share, a folder': [shared, unshared, folder(1, 8, 7), folder(1, 8, null)],
  'a folder above, a workbook': [
    folder(1, 8, 7),
    folder(1, 8, null),
    workbook(1, 1, { folderId: 8 }),
    workbook(1, 1, { folderId: null }),
  ],
} as const

/**
 * A workbook that is put into a folder, alone or with the folder that it lies in, only while nothing shows that folder. No
 * page may ever show it. One that looks at the share, or at the folder, before it looks at what comes in, will.
 */
export function bait(random: Random): Planned[] {
  const [isOpen, isClosed, isIn, isOut] = random.pick(Object.values(doors))
  const first = [
    put('deployment', { accountId: account, id: 1, name: 'Bait' }),
    folder(1, 7, null),
    ...(isIn.kind === 'folder' ? [workbook(1, 1, { folderId: 8 })] : [folder(1, 8, 7)]),
    shared,
  ]
  // So that pages begin while it is open, and end while it is closed.
  const meanwhile = () => Array.from({ length: random.between(3, 8) }, () => folder(1, 99, null))
  const cycles = Array.from({ length: random.between(2, 5) }, () => [
    ...meanwhile(),
    isClosed,
    isIn,
    ...meanwhile(),
    isOut,
    isOpen,
  ])
  const changes: Planned[] = []
  for (const [index, change] of [...first, ...cycles.flat()].entries()) {
    const identity = Object.entries(change.data).filter(([field]) => identifying.includes(field))
    changes.push({
      thing: thingOf(change.kind, Object.fromEntries(identity)),
      change: { ...change, revision: index },
      content: change.op === 'delete' ? undefined : change.data,
      order: index,
      counts: true,
      after: changes.at(-1),
    })
  }
  return changes
}

const identifying = ['accountId', 'deploymentId', 'id', 'resource', 'grantee']
