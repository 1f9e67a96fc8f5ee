import { folder, put, share, workbook } from '../changes.ts'
import { type Planned, thingOf } from './plan.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

/**
 * A workbook that is put into a folder only while nothing shows that folder, again and again. No page may ever show it. One
 * that looks at the folder or the share before it looks at the workbook will.
 */
export function bait(random: Random): Planned[] {
  const shared = share(1, 'folder', 7, { type: 'embedTenant', name: 'north' })
  const [isOpen, isClosed] = random.pick([
    [shared, { ...shared, op: 'delete' as const }],
    [folder(1, 8, 7), folder(1, 8, null)],
  ])
  const [isIn, isOut] = [workbook(1, 1, { folderId: 8 }), workbook(1, 1, { folderId: null })]
  const first = [
    put('deployment', { accountId: account, id: 1, name: 'Bait' }),
    folder(1, 7, null),
    folder(1, 8, 7),
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
