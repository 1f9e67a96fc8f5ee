import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, isLive } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { folderPath, maxFolderLevels } from '../workbooks/folder-path.ts'
import type { Grantee, ResourceType } from '../workbooks/keys.ts'
import { read } from './conditional-put.ts'
import { itemsOf } from './export.ts'
import { ownerOf } from './owner.ts'
import { quoted } from './quoted.ts'

type FolderFacts = { readonly name: string; readonly parentId: number | null }
type Share = { readonly resource: { readonly type: ResourceType; readonly id: number }; readonly grantee: Grantee }
type Recipient = { readonly notificationId: number; readonly recipient: Readonly<Record<string, unknown>> }

/**
 * Says in sentences what in a deployment refers to nothing, lies too deep or within itself, or counts for nothing, and why
 * (docs/design.md#the-catalog-is-a-mirror). It reads both tables whole.
 */
export async function checkDeployment(storage: Storage, deploymentId: number): Promise<string[]> {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  const things = await thingsOf(storage, deploymentId, deployment?.accountId)
  return [
    ...(await problemsOfOwner(storage, deploymentId, deployment)),
    ...problemsOfFolders(things.folders),
    ...[...things.workbooks].flatMap(([id, folderId]) =>
      folderId === null || things.folders.has(folderId)
        ? []
        : [`Workbook ${id} refers to folder ${folderId}, which is not there. It counts as top level.`],
    ),
    ...things.shares.flatMap((share) => problemsOfShare(share, things)),
    ...things.recipients.flatMap((recipient) => problemsOfRecipient(recipient, things)),
  ]
}

async function problemsOfOwner(storage: Storage, id: number, deployment: Item | undefined): Promise<string[]> {
  const nothing = 'All of it counts for nothing.'
  if (!deployment) return [`Deployment ${id} has not arrived. ${nothing}`]
  if (!isLive(deployment)) return [`Deployment ${id} is deleted. ${nothing}`]
  const accountId = deployment.accountId as string
  const account = await read(storage, 'catalog', accountKey(accountId))
  return isLive(account)
    ? []
    : [
        `Deployment ${id} refers to account ${quoted(accountId)}, which is ${account ? 'deleted' : 'not there'}. ${nothing}`,
      ]
}

type Things = {
  readonly folders: Map<number, FolderFacts>
  /** Workbooks with their folders. */
  readonly workbooks: Map<number, number | null>
  readonly shares: Share[]
  readonly notifications: Set<number>
  readonly recipients: Recipient[]
  /** Embed tenants and users of the deployment's account. */
  readonly tenants: Set<unknown>
  readonly users: Set<unknown>
}

async function thingsOf(storage: Storage, deploymentId: number, accountId: unknown): Promise<Things> {
  const things: Things = {
    folders: new Map(),
    workbooks: new Map(),
    shares: [],
    notifications: new Set(),
    recipients: [],
    tenants: new Set(),
    users: new Set(),
  }
  const add: Readonly<Record<string, (item: Item) => unknown>> = {
    folder: (item) => things.folders.set(item.id as number, item as unknown as FolderFacts),
    workbook: ({ id, folderId }) => things.workbooks.set(id as number, folderId as number | null),
    share: (item) => things.shares.push(item as unknown as Share),
    notification: ({ pk }) => things.notifications.add(Number(pk.split('#').at(-1))),
    recipient: (item) => things.recipients.push(item as unknown as Recipient),
    embedTenant: ({ name }) => things.tenants.add(name),
    user: ({ id }) => things.users.add(id),
  }
  for await (const { items } of itemsOf(storage)) {
    for (const item of items) {
      const owner = ownerOf(item)
      const isOurs =
        owner && ('deploymentId' in owner ? owner.deploymentId === deploymentId : owner.accountId === accountId)
      if (isOurs && isLive(item)) add[item.kind as string]?.(item)
    }
  }
  return things
}

/** Names the folders that have a parent and yet count as top level. */
function problemsOfFolders(folders: Things['folders']): string[] {
  return [...folders].flatMap(([id, { parentId }]) => {
    if (parentId === null) return []
    if (!folders.has(parentId)) {
      return [`Folder ${id} refers to parent folder ${parentId}, which is not there. It counts as top level.`]
    }
    if (folderPath(id, (each) => folders.get(each)).length > 1) return []
    const why = whyTopLevel(id, firstWithinItself(folders, id))
    return [`Folder ${id} lies ${why}. It counts as top level.`]
  })
}

function whyTopLevel(folderId: number, withinItself: number | undefined): string {
  if (withinItself === undefined) return `more than ${maxFolderLevels} levels deep`
  return withinItself === folderId ? 'within itself' : `below folder ${withinItself}, which lies within itself`
}

/** The first one that lies within itself, of a folder and those above it. */
function firstWithinItself(folders: Things['folders'], folderId: number): number | undefined {
  const path = new Set<number>()
  let id: number | null = folderId
  for (; id !== null && !path.has(id); id = folders.get(id)?.parentId ?? null) path.add(id)
  return id ?? undefined
}

function problemsOfShare(
  { resource: { type, id }, grantee }: Share,
  { folders, workbooks, tenants }: Things,
): string[] {
  const share = `The share of ${type} ${id} with ${nameOf(grantee)}`
  return [
    ...((type === 'folder' ? folders : workbooks).has(id)
      ? []
      : [`${share} refers to a ${type} that is not there. It counts for nothing.`]),
    ...(grantee.type === 'allEmbedUsers' || tenants.has(grantee.name)
      ? []
      : [`${share} refers to an embed tenant that is not there. It counts for nothing.`]),
  ]
}

function problemsOfRecipient({ notificationId, recipient }: Recipient, { notifications, tenants, users }: Things) {
  const { type, userId, embedTenantName } = recipient
  const name = type === 'user' ? `user ${userId}` : `an embed user of ${quoted(embedTenantName)}`
  const isKnown = type === 'user' ? users.has(userId) : tenants.has(embedTenantName)
  const told = `The recipient of notification ${notificationId}, ${name},`
  return [
    ...(notifications.has(notificationId)
      ? []
      : [`${told} refers to a notification that is not there. It counts for nothing.`]),
    ...(isKnown ? [] : [`${told} refers to ${type === 'user' ? 'a user' : 'an embed tenant'} that is not there.`]),
  ]
}

/** @example nameOf({ type: 'embedTenant', name: 'north' }) // 'embed tenant "north"' */
export const nameOf = (grantee: Grantee): string =>
  grantee.type === 'embedTenant' ? `embed tenant ${quoted(grantee.name)}` : 'all embed users'
