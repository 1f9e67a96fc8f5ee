import type { CatalogExplanation } from '@embed-access/core/catalog/explain.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import type { State } from '@embed-access/core/embed-access/explain.ts'
import type { Explanation } from '@embed-access/core/embed-access/explanation.ts'

const typeWords = {
  deployment: 'Deployment',
  account: 'Account',
  embedTenant: 'Embed tenant',
  workbook: 'Workbook',
}
const stateWords = { there: 'is there', deleted: 'is deleted', missing: 'has not arrived' }
const shareWords = {
  shared: 'is shared',
  noLongerShared: 'is no longer shared',
  notShared: 'is not shared',
}

export const presence = (name: string, state: State): string => `${name} ${stateWords[state]}.`

export function sentencesOf({ things, path, end }: CatalogExplanation): string[] {
  const needed = things.map(({ type, id, state }) =>
    presence(`${typeWords[type]} ${quoted(id)}`, state),
  )
  const folders = path.slice(0, -1)
  const [first] = folders
  const workbook = path.at(-1)
  if (!workbook) return needed
  const within = folders.map(({ id, name }) => `${id} (${quoted(name)})`).join(' / ')
  const shares = [workbook, ...folders].flatMap(({ type, id, name, shares }) =>
    shares.map(({ grantee, state }) => {
      const place = type === 'folder' ? `Folder ${id} (${quoted(name)})` : `Workbook ${id}`
      const whom =
        grantee.type === 'embedTenant' ? `embed tenant ${quoted(grantee.name)}` : 'all embed users'
      return `${place} ${shareWords[state]} with ${whom}.`
    }),
  )
  return [
    ...needed,
    first ? `It lies in ${within}.` : 'It lies at the top level.',
    ...endOf(first?.id, end),
    ...shares,
  ]
}

/** Says why the path begins below the top level, if it does. */
function endOf(first: number | undefined, end: Explanation['end']): string[] {
  if (!end) return []
  if (end.why === 'tooDeep')
    return [`Folder ${first} lies too deep or within itself, so it counts as top level.`]
  const who = first === undefined ? 'It refers to' : `Folder ${first} refers to parent`
  return [`${who} ${presence(`folder ${end.folderId}, which`, end.why)}`]
}
