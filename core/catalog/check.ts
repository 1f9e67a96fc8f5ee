import { deploymentKey } from '../access/keys.ts'
import { stateOf } from '../embed-access/explain.ts'
import { type Item, isLive } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { type Folder, folderPath } from '../workbooks/folder-path.ts'
import { documentCheck } from './check-documents.ts'
import { read } from './conditional-put.ts'
import { presence } from './explain.ts'
import { itemsOf } from './export.ts'
import { type Kind, nameOf, thingId } from './kind.ts'
import { type KindName, kindOf, kinds } from './kinds.ts'
import { ownerOf } from './owner.ts'
import { referencesOf } from './references.ts'

/** What a thing counts for while another one is not there to which it refers. */
const effects: Readonly<Partial<Record<KindName, string>>> = {
  deployment: ' All of it counts for nothing.',
  folder: ' It counts as top level.',
  workbook: ' It counts as top level.',
  share: ' It counts for nothing.',
}

/**
 * Says in sentences what in a deployment refers to nothing, lies too deep or within itself, contradicts itself, or counts
 * for nothing (docs/decisions/01-mirror.md). It reads both tables whole.
 */
export async function checkDeployment(storage: Storage, deploymentId: number): Promise<string[]> {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId as string | undefined
  const present = new Set<string>()
  const wanted: { readonly id: string; readonly problem: string }[] = []
  const folders = new Map<number, Folder>()
  const documents = documentCheck()
  for await (const { items } of itemsOf(storage)) {
    for (const item of items.filter(isLive)) {
      const kind = kindOf(item)
      const owner = ownerOf(item)
      const isInside = owner.deploymentId === deploymentId
      if (kind && (isInside || owner.accountId === accountId)) present.add(thingId(kind.name, item))
      if (!kind || !isInside) continue
      wanted.push(...wantedBy(kind, item, accountId))
      documents.take(item)
      if (kind.name === 'folder') folders.set(item.id as number, item as never)
    }
  }
  return [
    ...(isLive(deployment) ? [] : [presence(`Deployment ${deploymentId}`, stateOf(deployment)) + effects.deployment]),
    ...wanted.flatMap(({ id, problem }) => (present.has(id) ? [] : [problem])),
    ...problemsOfFolders(folders),
    ...documents.problems(),
  ]
}

/** What a thing refers to besides its deployment, by its {@link thingId}, and what to say if that is not there. */
const wantedBy = (kind: Kind, item: Item, accountId: string | undefined) =>
  referencesOf(kind.name as KindName, item, accountId)
    .filter(({ to }) => to !== 'deployment')
    .map(({ id, to, identity }) => {
      const problem = `${nameOf(kind, item)} refers to ${nameOf(kinds[to], identity)}, which is not there.`
      const effect = effects[kind.name as KindName] ?? ''
      return { id, problem: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${effect}` }
    })

/** Names the folders whose parent is there, and which yet count as top level. */
const problemsOfFolders = (folders: ReadonlyMap<number, Folder>): string[] =>
  [...folders].flatMap(([id, { parentId }]) => {
    if (parentId === null || !folders.has(parentId)) return []
    if (folderPath(id, (each) => folders.get(each)).length > 1) return []
    return [`Folder ${id} lies too deep or within itself.${effects.folder}`]
  })
