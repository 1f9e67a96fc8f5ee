import type { Source } from '../workbooks/model.ts'
import type { Span, Timeline } from './timeline.ts'

/** A page that the reader got: when it was asked for, when it came, and for whom it is. */
export type Shown = {
  readonly deploymentId: number
  readonly tenant: string
  readonly source: Source
  readonly began: number
  readonly ended: number
}

type Moment = { readonly from: number; readonly to: number }

/**
 * Whether a page may show a workbook. It may not if
 *
 * - the workbook's unshare, or a move of it or of a folder above it out of what is shared, was acknowledged before the page
 *   began, and no change that brings it back was delivered before the page ended;
 * - the workbook, or a folder above it, came to where it is only after the unshare there was acknowledged (decisions,
 *   "Embed-tenant workbooks").
 *
 * Both are one rule: there have to be moments within the page at which the workbook, the folders above it and the share
 * may have been what shows it, the workbook's before the folders', and theirs before the share's.
 */
export function mayShow(timeline: Timeline, page: Shown, workbookId: number): boolean {
  const { deploymentId, tenant, source, began, ended } = page
  const spans = (thing: string) => timeline.spans(thing, began, ended)
  const sharesOf = (type: string, id: number, tenants: readonly (string | null)[]) =>
    tenants.flatMap((name) => {
      const resource = JSON.stringify({ type, id })
      const grantee = JSON.stringify(name === null ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name })
      return spans(`share ${deploymentId} ${resource} ${grantee}`).filter(({ content }) => content)
    })
  const direct =
    source === undefined ? [tenant, null] : source === 'tenant' ? [tenant] : source === 'folder' ? [] : [null]

  return spans(`workbook ${deploymentId} ${workbookId}`).some((workbook) => {
    if (!workbook.content) return false
    const seen = Math.max(workbook.from, began)
    // From the moment at which the workbook was seen to the last at which the share was live.
    const until = (share: Span): Moment | undefined => {
      const last = Math.min(share.to, ended)
      return Math.max(share.from, seen) <= last ? { from: seen, to: last } : undefined
    }
    if (sharesOf('workbook', workbookId, direct).some(until)) return true
    if (source === 'tenant' || source === 'allEmbedUsers') return false
    const { folderId } = workbook.content as { folderId: number | null }
    return mayLieBelow(
      (id) => spans(`folder ${deploymentId} ${id}`),
      folderId,
      (id) => sharesOf('folder', id, [tenant, null]).flatMap((share) => until(share) ?? []),
    )
  })
}

const maxLevels = 10

/** Whether one of the folders above may have been shared at the right moment, the top being within ten levels. */
function mayLieBelow(
  spansOf: (folderId: number) => Span[],
  folderId: number | null,
  momentsOf: (folderId: number) => Moment[],
): boolean {
  const within = ({ from, to }: Span, moment: Moment) => Math.max(from, moment.from) <= Math.min(to, moment.to)
  const reachesTop = (id: number | null, path: readonly number[], moment: Moment): boolean => {
    if (id === null) return true
    if (path.includes(id)) return false
    return spansOf(id).some((span) => {
      if (!within(span, moment)) return false
      if (!span.content) return true
      if (path.length === maxLevels) return false
      return reachesTop((span.content as { parentId: number | null }).parentId, [...path, id], moment)
    })
  }
  /** Every folder that may be above, and whether the share of one of them counts. */
  const climbs = (id: number | null, path: readonly number[]): boolean => {
    if (id === null || path.includes(id) || path.length === maxLevels) return false
    return spansOf(id).some(({ content }) => {
      if (!content) return false
      const { parentId } = content as { parentId: number | null }
      const here = [...path, id]
      const shows = (moment: Moment) =>
        pathHolds(here, moment) && (path.length === 0 || reachesTop(parentId, here, moment))
      return momentsOf(id).some(shows) || climbs(parentId, here)
    })
  }
  /** Whether each folder of the path may have been in the next one at that moment. */
  const pathHolds = (path: readonly number[], moment: Moment) =>
    path.every((id, index) =>
      spansOf(id).some((span) => {
        const parentId = (span.content as { parentId: number | null } | undefined)?.parentId
        const leadsOn = index === path.length - 1 ? span.content !== undefined : parentId === path[index + 1]
        return leadsOn && within(span, moment)
      }),
    )
  return climbs(folderId, [])
}
