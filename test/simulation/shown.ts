import type { Source } from '../workbooks/model.ts'
import type { Span, Timeline } from './timeline.ts'

/**
 * A page of deployment 1 that the reader got: when it was asked for, when it came, and for whom it
 * is.
 */
type Shown = {
  readonly tenant: string
  readonly source: Source
  readonly began: number
  readonly ended: number
  /** Whether the workbook too must have been there at the moment of the share. */
  readonly isOneMoment?: true
}

type Moment = { readonly from: number; readonly to: number }

/**
 * Whether a page may show a workbook. It may not if
 *
 * - the workbook's unshare was acknowledged before the page began, or the workbook or a folder
 *   above it was moved out of what is shared, and nothing that brings it back was delivered before
 *   the page ended;
 * - the workbook, or a folder above it, came to its place only after the unshare there was
 *   acknowledged, or after a folder above it had left
 *   (docs/specification.md#workbooks-of-an-embed-tenant).
 *
 * Both are one rule. At one moment of the page, the folders above the workbook and the share may
 * have been what shows it. The workbook may have been there at that moment, or earlier in the page.
 */
export function mayShow(timeline: Timeline, page: Shown, workbookId: number): boolean {
  const { tenant, source, began, ended, isOneMoment } = page
  const spans = (thing: string) => timeline.spans(thing, began, ended)
  const sharesOf = (type: string, id: number, tenants: readonly (string | null)[]) =>
    tenants.flatMap((name) => {
      const resource = JSON.stringify({ type, id })
      const grantee = JSON.stringify(
        name === null ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name },
      )
      return spans(`share 1 ${resource} ${grantee}`).filter(({ content }) => content)
    })
  const direct = [
    ...(source === undefined || source === 'tenant' ? [tenant] : []),
    ...(source === undefined || source === 'allEmbedUsers' ? [null] : []),
  ]

  return spans(`workbook 1 ${workbookId}`).some((workbook) => {
    if (!workbook.content) return false
    const to = isOneMoment ? Math.min(workbook.to, ended) : ended
    const rest = { from: Math.max(workbook.from, began), to }
    if (sharesOf('workbook', workbookId, direct).some((share) => common(share, rest))) return true
    if (source === 'tenant' || source === 'allEmbedUsers') return false
    const { folderId } = workbook.content as { folderId: number | null }
    return mayLieInShared(
      (id) => spans(`folder 1 ${id}`),
      (id) => sharesOf('folder', id, [tenant, null]),
      folderId,
      rest,
    )
  })
}

const maxLevels = 32

function common(one: Moment, other: Moment): Moment | undefined {
  const from = Math.max(one.from, other.from)
  const to = Math.min(one.to, other.to)
  return from <= to ? { from, to } : undefined
}

/**
 * Whether there may have been one moment at which the folder, or one above it, was shared. One
 * above it counts only if the top is within 32 levels.
 */
function mayLieInShared(
  spansOf: (folderId: number) => Span[],
  sharesOf: (folderId: number) => Span[],
  folderId: number | null,
  within: Moment,
): boolean {
  const climbs = (
    id: number | null,
    path: readonly number[],
    moment: Moment,
    isShared: boolean,
  ): boolean => {
    if (id === null) return isShared
    if (path.includes(id)) return false
    return spansOf(id).some((folder) => {
      const here = common(folder, moment)
      if (!here) return false
      if (!folder.content) return isShared
      if (path.length === maxLevels) return false
      const shared = isShared ? [] : sharesOf(id).flatMap((share) => common(share, here) ?? [])
      if (path.length === 0 && shared.length > 0) return true
      const { parentId } = folder.content as { parentId: number | null }
      const further = (moment: Moment, isShared: boolean) =>
        climbs(parentId, [...path, id], moment, isShared)
      return shared.some((moment) => further(moment, true)) || further(here, isShared)
    })
  }
  return climbs(folderId, [], within, false)
}
