import { accountKey, deploymentKey } from '../access/keys.ts'
import { explainAccess, type State, stateOf } from '../embed-access/explain.ts'
import type { Explanation } from '../embed-access/explanation.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import type { ItemKey } from '../storage/batch-get.ts'
import { read } from '../storage/conditional-writes.ts'
import type { Storage } from '../storage/storage.ts'
import { workbookKey } from '../workbooks/keys.ts'
import { itemsOf } from './export.ts'
import { quoted } from './quoted.ts'

/**
 * Explains why an embed tenant sees a workbook, or does not, by what the tables have, whoever asks.
 * If one of the things is not there, there is no path. The id is null for the account of a
 * deployment that is not there.
 * @param tenant in lower case
 */
export async function explainInCatalog(
  storage: Storage,
  deploymentId: number,
  tenant: string,
  workbookId: number,
) {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId as string | undefined
  const at = async (key: ItemKey) => stateOf(await read(storage, 'catalog', key))
  // Stryker disable next-line ConditionalExpression: No account has undefined as its id.
  const inAccount = (key: (id: string) => ItemKey) =>
    accountId === undefined ? 'missing' : at(key(accountId))
  const things = [
    { type: 'deployment', id: deploymentId, state: stateOf(deployment) },
    { type: 'account', id: accountId ?? null, state: await inAccount(accountKey) },
    { type: 'embedTenant', id: tenant, state: await inAccount((id) => embedTenantKey(id, tenant)) },
    { type: 'workbook', id: workbookId, state: await at(workbookKey(deploymentId, workbookId)) },
  ] as const
  const isComplete = things.every(({ state }) => state === 'there')
  const explained = isComplete
    ? await explainAccess(storage, deploymentId, workbookId, tenant)
    : undefined
  return { ...(explained?.explanation ?? { isSeen: false, path: [], end: null }), things }
}

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

export function sentencesOf({
  things,
  path,
  end,
}: Awaited<ReturnType<typeof explainInCatalog>>): string[] {
  const needed = things.map(({ type, id, state }) =>
    presence(`${typeWords[type]} ${id === null ? 'of the deployment' : quoted(id)}`, state),
  )
  const folders = path.slice(0, -1)
  const [workbook, first] = [path.at(-1), folders[0]]
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

/** Why the way to the top ends at the first folder, if it ends too early. */
function endOf(first: number | undefined, end: Explanation['end']): string[] {
  if (!end) return []
  if (end.why === 'tooDeep')
    return [`Folder ${first} lies too deep or within itself, so it counts as top level.`]
  const who = first === undefined ? 'It refers to' : `Folder ${first} refers to parent`
  return [`${who} ${presence(`folder ${end.folderId}, which`, end.why)}`]
}

/** The deployments that have a workbook of this id. Reads both tables whole. */
export async function deploymentsWith(storage: Storage, workbookId: number): Promise<number[]> {
  const pages = await Array.fromAsync(itemsOf(storage), ({ items }) =>
    items.filter(({ kind, id }) => kind === 'workbook' && id === workbookId),
  )
  return pages.flat().map(({ deploymentId }) => deploymentId as number)
}
