import { queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { Spent } from './budget.ts'
import { type Grantee, sharedEntry, shareIndex } from './keys.ts'
import { startOfDirect } from './position.ts'

const startOfFolders = 'f'

/**
 * The shares with one grantee, as far as they were read. One partition of an index holds them: folders first, then
 * workbooks, each by id.
 */
export class SharesWith {
  readonly grantee: Grantee
  readonly folderIds: number[] = []
  /** Shared workbooks, in order of their ids. */
  readonly workbookIds: number[] = []
  readonly #storage: Storage
  readonly #range: { readonly index: string; readonly partition: string }
  /** After which sort key workbooks were not read yet. */
  #unreadAfter: string | undefined

  /** @param after the position after which directly shared workbooks are wanted */
  constructor(storage: Storage, deploymentId: number, grantee: Grantee, after: string) {
    const { index, partition } = shareIndex(deploymentId, grantee)
    this.grantee = grantee
    this.#storage = storage
    this.#range = { index, partition }
    this.#unreadAfter = after > startOfDirect ? after : startOfDirect
  }

  /** Whether more workbooks may be shared than were read. */
  get goesOn(): boolean {
    return this.#unreadAfter !== undefined
  }

  /** Whether all workbooks up to this one were read. */
  hasReadUpTo(workbookId: number): boolean {
    return this.#unreadAfter === undefined || sharedEntry('workbook', workbookId) <= this.#unreadAfter
  }

  /** Reads all shared folders, and along with them the first workbooks if there are few. */
  async readFoldersAndFirstWorkbooks(limit: number): Promise<Spent> {
    const { items, more } = await queryIndex(this.#storage, { ...this.#range, attributes: ['shared'] }, limit)
    const last = this.#add(items)
    const isPartOfFolders = more && last !== undefined && last < startOfDirect
    if (!isPartOfFolders) this.#unreadAfter = more ? last : undefined
    const { calls } = isPartOfFolders ? await this.readFolders(last) : { calls: 0 }
    return { calls: calls + 1, roundTrips: calls + 1 }
  }

  /** Reads all shared folders, a call for each MB. */
  async readFolders(begin = startOfFolders): Promise<Spent> {
    let calls = 0
    for (let after: string | undefined = begin; after !== undefined; calls += 1) {
      const range = { ...this.#range, after, to: startOfDirect, attributes: ['shared'] }
      const { items, more } = await queryIndex(this.#storage, range)
      const last = this.#add(items)
      after = more ? last : undefined
    }
    return { calls, roundTrips: calls }
  }

  /** Reads the next workbooks. */
  async readWorkbooks(limit: number): Promise<Spent> {
    const range = { ...this.#range, after: this.#unreadAfter, attributes: ['shared'] }
    const { items, more } = await queryIndex(this.#storage, range, limit)
    const last = this.#add(items)
    this.#unreadAfter = more ? last : undefined
    return { calls: 1, roundTrips: 1 }
  }

  /** @returns the last sort key, if there is one */
  #add(items: readonly { readonly [attribute: string]: unknown }[]): string | undefined {
    const entries = items.map(({ shared }) => shared as string)
    for (const entry of entries) {
      const ids = entry > startOfDirect ? this.workbookIds : this.folderIds
      ids.push(Number(entry.slice(2)))
    }
    return entries.at(-1)
  }
}
