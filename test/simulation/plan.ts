import { type Change, put } from '../support/catalog.ts'
import { apiKeyHistories } from './api-keys.ts'
import type { Random } from './random.ts'
import { type Subject, subjects } from './subjects.ts'

/** A change that is to be delivered, once or more often. */
export type Planned = {
  /** What it changes, such as `folder 1 7`. */
  readonly thing: string
  readonly change: Change
  /** The newest change of a thing has the highest. */
  readonly order: number
  /**
   * False if the change is older than what is stored when it arrives, in a thing whose changes come
   * in order.
   */
  readonly counts: boolean
  /**
   * Must have been acknowledged before this one is delivered: without revisions, the order of
   * delivery decides.
   */
  readonly after: Planned | undefined
}

/**
 * A random catalog with its history. The changes of most things bear revisions and arrive in any
 * order; those of the others arrive in order, with a revision here and there.
 */
export function planned(random: Random): Planned[] {
  const things = [
    ...subjects(random).map((subject) => history(subject, random)),
    ...apiKeyHistories(random),
  ]
  const disorder = random.pick([0.1, 0.5, 5])
  const duplicates = random.pick([0, 0.1, 0.4])
  const arrivals = things.flatMap((changes) =>
    changes.flatMap((each, index) => {
      const at = (index + 1) / changes.length
      const arrival = () => ({ each, at: at + random.next() * disorder })
      const again =
        each.after === undefined && each.change.revision !== undefined && random.chance(duplicates)
      return again ? [arrival(), arrival()] : [arrival()]
    }),
  )
  return arrivals.sort((a, b) => a.at - b.at).map(({ each }) => each)
}

/** What a thing holds after a change; nothing after a deletion. */
export const contentOf = ({ change: { op, data } }: Planned) =>
  op === 'delete' ? undefined : (data as Readonly<Record<string, unknown>>)

/** Names a thing by its kind and what identifies it, in the order of the contract. */
export const thingOf = (kind: string, identity: object): string =>
  [
    kind,
    ...Object.values(identity).map((each) =>
      typeof each === 'object' ? JSON.stringify(each) : each,
    ),
  ].join(' ')

function history({ kind, identity, content, mayEnd }: Subject, random: Random): Planned[] {
  const thing = thingOf(kind, identity)
  const length = random.pick([1, 1, 2, 3, 5])
  const inOrder = random.chance(0.25)
  const changes: Planned[] = []
  let revision = 0
  let known = -1
  for (let order = 1; order <= length; order += 1) {
    const ends = mayEnd && random.chance(kind === 'share' ? 0.4 : 0.2)
    const data = ends ? identity : { ...identity, ...content(order) }
    revision =
      inOrder && random.chance(0.3)
        ? random.between(0, revision + 1)
        : revision + random.between(1, 3)
    const revised = !inOrder || random.chance(0.4)
    const counts = !revised || revision > known
    if (revised && counts) known = revision
    changes.push({
      thing,
      change: {
        ...put(kind, data),
        ...(ends && { op: 'delete' as const }),
        ...(revised && { revision }),
      },
      order,
      counts,
      after: inOrder ? changes.at(-1) : undefined,
    })
  }
  return changes
}
