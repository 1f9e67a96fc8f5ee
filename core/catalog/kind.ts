import type * as v from 'valibot'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { FolderTree } from '../workbooks/folder-tree.ts'
import { nameEmbedTenant } from './named-tenants.ts'
import type { Change, Outcome } from './record.ts'

/** How the changes of one kind look and what applying them does. */
export type Kind<Data = unknown, Identity = unknown> = {
  readonly data: v.GenericSchema<unknown, Data>
  /** The fields that identify a thing, all that a delete needs. */
  readonly identity: v.GenericSchema<unknown, Identity>
  readonly table: TableName
  /** It is stored as a document, which has limits of its own. */
  readonly holdsDocument?: true
  key(identity: Identity): ItemKey
  /** Other items of the same table that applying needs, read along with the thing. */
  reads?(identity: Identity): readonly ItemKey[]
  /** Changes of this kind depend on each other and are applied in turn. */
  readonly inTurn?: true
  /** The key is that of a larger thing, within which each of these has a revision of its own. */
  readonly revisedWithin?: true
  /** Reads what many changes need in common, before they are applied side by side. */
  prepare?(batch: Batch, changes: readonly Change<Data, Identity>[]): Promise<void>
  apply(batch: Batch, change: Change<Data, Identity>, read: Read): Promise<Outcome>
}

/** What was read for a change: the thing as it is, and the other items. */
export type Read = { readonly previous: Item | undefined; item(key: ItemKey): Item | undefined }

/** What the changes of one batch share: the folders and the embed tenants seen so far. */
export class Batch {
  readonly storage: Storage
  readonly #trees = new Map<number, FolderTree>()
  readonly #named = new Map<string, Promise<void>>()

  constructor(storage: Storage) {
    this.storage = storage
  }

  tree(deploymentId: number): FolderTree {
    const tree = this.#trees.get(deploymentId) ?? new FolderTree(this.storage, deploymentId, { consistent: true })
    this.#trees.set(deploymentId, tree)
    return tree
  }

  nameEmbedTenant(deploymentId: number, name: string): Promise<void> {
    const key = `${deploymentId} ${name}`
    const named = this.#named.get(key) ?? nameEmbedTenant(this.storage, deploymentId, name)
    this.#named.set(key, named)
    return named
  }
}

/** Keeps the types of one kind together where it is defined. */
export const kind = <Data, Identity>(definition: Kind<Data, Identity>): Kind => definition as unknown as Kind
