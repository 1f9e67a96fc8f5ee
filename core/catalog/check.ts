import { accountKey, deploymentKey } from '../access/keys.ts'
import { type State, stateOf } from '../embed-access/explain.ts'
import { type Item, isLive } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { folderPath, maxFolderLevels } from '../workbooks/folder-path.ts'
import type { Grantee, ResourceType } from '../workbooks/keys.ts'
import { documentCheck } from './check-documents.ts'
import { read } from './conditional-put.ts'
import { itemsOf } from './export.ts'
import { thingId } from './kind.ts'
import { ownerOf } from './owner.ts'
import { quoted } from './quoted.ts'
import { type KindName, referencesOf } from './references.ts'

type Folders = Map<number, { readonly name: string; readonly parentId: number | null }>

/**
 * Says in sentences what in a deployment refers to nothing, lies too deep or within itself, contradicts itself, or counts
 * for nothing, and why (docs/decisions/01-mirror.md). It reads both tables whole.
 */
export async function checkDeployment(storage: Storage, deploymentId: number): Promise<string[]> {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId as string | undefined
  const folders: Folders = new Map()
  // That the deployment itself is not there is said once, and not of each thing in it.
  const present = new Set([thingId('deployment', deploymentKey(deploymentId))])
  const wanted: Wanted[] = []
  const documents = documentCheck()
  for await (const { items } of itemsOf(storage)) {
    for (const item of items.filter(isLive)) {
      const owner = ownerOf(item)
      if (!owner) continue
      if ('deploymentId' in owner ? owner.deploymentId !== deploymentId : owner.accountId !== accountId) continue
      const kind = item.kind as string
      present.add(thingId(kind, item))
      wanted.push(...wantedBy(kind, item, accountId))
      documents.take(item)
      if (kind === 'folder') folders.set(item.id as number, item as never)
    }
  }
  return [
    ...(await problemsOfOwner(storage, deploymentId, deployment)),
    ...problemsOfFolders(folders),
    ...wanted.flatMap(({ id, problem }) => (present.has(id) ? [] : [problem])),
    ...documents.problems(),
  ]
}

async function problemsOfOwner(storage: Storage, id: number, deployment: Item | undefined): Promise<string[]> {
  const nothing = 'All of it counts for nothing.'
  if (!isLive(deployment)) return [`${presence(`Deployment ${id}`, stateOf(deployment))} ${nothing}`]
  const accountId = deployment.accountId as string
  const account = await read(storage, 'catalog', accountKey(accountId))
  if (isLive(account)) return []
  const state = account ? 'deleted' : 'not there'
  return [`Deployment ${id} refers to account ${quoted(accountId)}, which is ${state}. ${nothing}`]
}

const presenceWords = { there: 'is there', deleted: 'is deleted', missing: 'has not arrived' }

/** Says of a thing whether it is there. */
export const presence = (name: string, state: State): string => `${name} ${presenceWords[state]}.`

/** What a thing of the deployment refers to, by its {@link thingId}, and what to say if that is not there. */
type Wanted = { readonly id: string; readonly problem: string }

function wantedBy(kind: string, item: Item, accountId: string | undefined): Wanted[] {
  if (!Object.hasOwn(problems, kind)) return []
  const problemOf = problems[kind as keyof typeof problems]
  return referencesOf(kind as KindName, item, accountId).map(({ id, to }) => ({
    id,
    problem: problemOf(item as never, to),
  }))
}

type Share = { readonly resource: { readonly type: ResourceType; readonly id: number }; readonly grantee: Grantee }
type Recipient = { readonly notificationId: number; readonly recipient: Readonly<Record<string, unknown>> }

const one: Readonly<Partial<Record<KindName, string>>> = {
  embedTenant: 'an embed tenant',
  folder: 'a folder',
  notification: 'a notification',
  user: 'a user',
  workbook: 'a workbook',
}

/** What to say of a thing that refers to another one, which is not there. */
const problems = {
  folder: ({ id, parentId }: Item) =>
    `Folder ${id} refers to parent folder ${parentId}, which is not there. It counts as top level.`,
  workbook: ({ id, folderId }: Item) =>
    `Workbook ${id} refers to folder ${folderId}, which is not there. It counts as top level.`,
  share: ({ resource: { type, id }, grantee }: Share, to: KindName) =>
    `The share of ${type} ${id} with ${nameOf(grantee)} refers to ${one[to]} that is not there. It counts for nothing.`,
  recipient({ notificationId, recipient: { type, userId, embedTenantName } }: Recipient, to: KindName) {
    const name = type === 'user' ? `user ${userId}` : `an embed user of ${quoted(embedTenantName)}`
    const effect = to === 'notification' ? ' It counts for nothing.' : ''
    return `The recipient of notification ${notificationId}, ${name}, refers to ${one[to]} that is not there.${effect}`
  },
}

/** Names the folders whose parent is there, and which yet count as top level. */
function problemsOfFolders(folders: Folders): string[] {
  return [...folders].flatMap(([id, { parentId }]) => {
    if (parentId === null || !folders.has(parentId)) return []
    if (folderPath(id, (each) => folders.get(each)).length > 1) return []
    return [`Folder ${id} lies ${whyTopLevel(id, firstWithinItself(folders, id))}. It counts as top level.`]
  })
}

function whyTopLevel(folderId: number, withinItself: number | undefined): string {
  if (withinItself === undefined) return `more than ${maxFolderLevels} levels deep`
  return withinItself === folderId ? 'within itself' : `below folder ${withinItself}, which lies within itself`
}

/** The first one that lies within itself, of a folder and those above it. */
function firstWithinItself(folders: Folders, folderId: number): number | undefined {
  const path = new Set<number>()
  let id: number | null = folderId
  for (; id !== null && !path.has(id); id = folders.get(id)?.parentId ?? null) path.add(id)
  return id ?? undefined
}

/** @example nameOf({ type: 'embedTenant', name: 'north' }) // 'embed tenant "north"' */
export const nameOf = (grantee: Grantee): string =>
  grantee.type === 'embedTenant' ? `embed tenant ${quoted(grantee.name)}` : 'all embed users'
