import { accountKey, deploymentKey } from '../access/keys.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { type Item, type ItemKey, isLive } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { type Folder, folderPath } from '../workbooks/folder-path.ts'
import { folderKey, type Grantee, shareKey, workbookKey } from '../workbooks/keys.ts'
import { nameOf, presence } from './check.ts'
import { read } from './conditional-put.ts'
import { itemsOf } from './export.ts'
import { quoted } from './quoted.ts'

/** Whether an embed tenant sees a workbook, and the facts from which that follows, as sentences. */
export type Explanation = { readonly isSeen: boolean; readonly facts: readonly string[] }

/**
 * Says why an embed tenant sees a workbook, or does not, by the rules of the list. Everything is read by key, consistently;
 * a list may take as long to show it as the indexes take.
 * @param tenant in lower case
 */
export async function explainAccess(
  storage: Storage,
  deploymentId: number,
  tenant: string,
  workbookId: number,
): Promise<Explanation> {
  const at = (key: ItemKey) => read(storage, 'catalog', key)
  const deployment = await at(deploymentKey(deploymentId))
  const accountId = deployment?.accountId as string | undefined
  const account = accountId === undefined ? undefined : await at(accountKey(accountId))
  const embedTenant = accountId === undefined ? undefined : await at(embedTenantKey(accountId, tenant))
  const workbook = await at(workbookKey(deploymentId, workbookId))
  const needed = [
    presence(`Deployment ${deploymentId}`, deployment),
    presence(`Account ${accountId === undefined ? 'of the deployment' : quoted(accountId)}`, account),
    presence(`Embed tenant ${quoted(tenant)}`, embedTenant),
    presence(`Workbook ${workbookId}`, workbook),
  ]
  if (![deployment, account, embedTenant, workbook].every(isLive)) return { isSeen: false, facts: needed }

  const folderId = workbook?.folderId as number | null
  const folders = await readFolders(storage, deploymentId, folderId)
  const path = folderPath(folderId, (id) => live(folders.get(id)))
  const grantees: Grantee[] = [{ type: 'embedTenant', name: tenant }, { type: 'allEmbedUsers' }]
  const shareable = [
    { name: `Workbook ${workbookId}`, key: workbookKey(deploymentId, workbookId) },
    ...path.map(({ id, name }) => ({ name: `Folder ${id} (${quoted(name)})`, key: folderKey(deploymentId, id) })),
  ]
  let isSeen = false
  const shareFacts: string[] = []
  for (const { name, key } of shareable) {
    for (const grantee of grantees) {
      const share = await at(shareKey(key, grantee))
      isSeen ||= isLive(share)
      const shared = isLive(share) ? 'is shared' : share ? 'is no longer shared' : 'is not shared'
      shareFacts.push(`${name} ${shared} with ${nameOf(grantee)}.`)
    }
  }
  return { isSeen, facts: [...needed, ...placeFacts(folderId, path, folders), ...shareFacts] }
}

type FolderItem = Pick<Folder, 'name' | 'parentId'>
const live = (item: Item | undefined) => (isLive(item) ? (item as unknown as FolderItem) : undefined)

/** The folders on the way up, and the first one that is not there. */
async function readFolders(storage: Storage, deploymentId: number, folderId: number | null) {
  const folders = new Map<number, Item | undefined>()
  for (let id = folderId; id !== null && !folders.has(id); ) {
    const folder = await read(storage, 'catalog', folderKey(deploymentId, id))
    folders.set(id, folder)
    id = live(folder)?.parentId ?? null
  }
  return folders
}

/** Where the workbook lies, and where the way to the top ends too early. */
function placeFacts(
  folderId: number | null,
  path: readonly Folder[],
  folders: ReadonlyMap<number, Item | undefined>,
): string[] {
  const [first] = path
  const within = path.map(({ id, name }) => `${id} (${quoted(name)})`).join(' / ')
  const lies = first ? `It lies in ${within}.` : 'It lies at the top level.'
  const above = first ? first.parentId : folderId
  if (above === null) return [lies]
  const who = first ? `Folder ${first.id} refers to parent` : 'It refers to'
  if (!isLive(folders.get(above))) return [lies, `${who} ${presence(`folder ${above}, which`, folders.get(above))}`]
  return [lies, `Folder ${first?.id} lies too deep or within itself, so it counts as top level.`]
}

/** The deployments that have a workbook of this id. Reads both tables whole. */
export async function deploymentsWith(storage: Storage, workbookId: number): Promise<number[]> {
  const found: number[] = []
  for await (const { items } of itemsOf(storage)) {
    for (const { kind, id, deploymentId } of items) {
      if (kind === 'workbook' && id === workbookId) found.push(deploymentId as number)
    }
  }
  return found
}
