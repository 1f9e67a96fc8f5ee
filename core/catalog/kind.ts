import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import { newVersion } from '../storage/conditional-writes.ts'
import { documentOf } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { quoted } from './quoted.ts'

/** What every catalog change says besides its kind (catalog contract). */
export type Change<Data, Identity = Data> =
  | { readonly op: 'put'; readonly revision?: number | undefined; readonly data: Data }
  | { readonly op: 'delete'; readonly revision?: number | undefined; readonly data: Identity }

/**
 * Why a change is refused: the JSON pointer of a field, such as `/data/parentId`, and what is wrong
 * with it.
 */
export type Problem = { readonly pointer: string; readonly reason: string }

/** A change that is valid field by field, but can never be applied. */
export class NotApplicable extends Error {
  readonly problem: Problem
  constructor(pointer: string, reason: string) {
    super(reason)
    this.problem = { pointer, reason }
  }
}

export function requireAtMost(most: number, what: string, bytes: number): void {
  if (bytes > most) throw new NotApplicable('/data', `${what} ${bytes} bytes; the limit is ${most}`)
}

/** What an item holds besides its key: the thing's facts and index attributes. */
export type Content = Readonly<Record<string, unknown>>

export type Writer = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  /** The embed tenants that were named, by deployment and name. */
  readonly named: Map<string, Promise<void>>
}

type ObjectSchema<Output> = v.GenericSchema<unknown, Output> & { readonly entries: object }

/**
 * A kind of the catalog. An item follows from its change alone, so changes may come in any order,
 * from any writers.
 */
export type Kind<Data = unknown, Identity = unknown> = {
  readonly name: string
  readonly table: TableName
  readonly data: ObjectSchema<Data>
  /** The fields that identify a thing. A delete needs no others. */
  readonly identity: ObjectSchema<Identity>
  /** Tombstones do not expire by themselves. */
  readonly tombstoneStays?: true
  /** Things are stored as documents. Their data has at most so many bytes as JSON. */
  readonly maxDocumentBytes?: number
  key(identity: Identity): ItemKey
  /** @throws NotApplicable for what can't be stored */
  item(data: Data): Content
  /** The data of an item. */
  json(item: Item): string
  /** Writes the change, if that takes more than one put, and says whether it was applied. */
  write?(writer: Writer, parsed: Parsed<Data, Identity>): Promise<boolean>
  /**
   * Looks at other things after the write, even if the change was skipped: an earlier writer may
   * have stopped before it.
   */
  after?(writer: Writer, parsed: Parsed<Data, Identity>): Promise<void>
  /** The lines of an item in an export. By default it is {@link ownLine} alone. */
  lines?(item: Item, kind: Kind): string[]
}

/** A valid change, with what identifies its thing and what its item holds. */
export type Parsed<Data = unknown, Identity = unknown> = {
  readonly kind: Kind<Data, Identity>
  readonly key: ItemKey
  readonly change: Change<Data, Identity>
  readonly content: Content
  /** Fields that this version doesn't know, if there are any. They are left out. */
  readonly leftOut: readonly Problem[] | undefined
}

/**
 * Defines a kind. By default its items are in the catalog and hold the data as it is. Their JSON is
 * the document or fields.
 */
export const kind = <Data, Identity>(
  definition: Omit<Kind<Data, Identity>, 'table' | 'item' | 'json'> & Partial<Kind<Data, Identity>>,
): Kind<Data, Identity> => ({
  table: 'catalog',
  item: (data) => data as Content,
  json: definition.maxDocumentBytes
    ? documentOf
    : (item) => JSON.stringify(fieldsIn(item, definition.data)),
  ...definition,
})

export const contentOf = ({ change, content }: Parsed): string =>
  `${change.op} ${JSON.stringify(content)}`

/** 52 bits: among a million things, two have the same digest in one of ten thousand comparisons. */
// Stryker disable next-line MethodExpression: It takes more memory.
export const digest = (text: string): number =>
  Number.parseInt(hash('sha256', text).slice(0, 13), 16)

/** How long a tombstone is kept that does not stay for good, in milliseconds (catalog contract). */
const tombstoneAge = 90 * 24 * 3_600_000
export const tombstoneExpiry = (now: number) => ({
  tombstoneExpiresAt: Math.floor((now + tombstoneAge) / 1000),
})

/** What the item of a deleted thing holds. It is in no index. */
export const tombstoneOf = (kind: Kind, identity: unknown, now: number): Content => ({
  deleted: true,
  identity: JSON.stringify(identity),
  ...(!kind.tombstoneStays && tombstoneExpiry(now)),
})

/** The item that a change makes, without its revision. Each has a version of its own. */
export const itemOfChange = ({ kind, key, change, content }: Parsed, now: number) => ({
  ...key,
  kind: kind.name,
  ...(change.op === 'put' ? content : tombstoneOf(kind, change.data, now)),
  version: newVersion(),
})

/** An item as a change: the put that made it, or the delete that made it a tombstone. */
export function ownLine(kind: Kind, item: Item): string {
  const { revision, deleted, identity } = item
  const op = deleted ? ',"op":"delete"' : ''
  const numbered = revision === undefined ? '' : `,"revision":${revision}`
  return `{"kind":"${kind.name}"${op}${numbered},"data":${deleted ? identity : kind.json(item)}}`
}

/**
 * A thing as a person names it, by its data or item: `workbook 100`, `group
 * {"accountId":"acme","name":"staff"}`.
 */
export const nameOf = ({ name, identity }: Kind, data: Content): string =>
  `${name} ${quoted(data.id ?? fieldsIn(data, identity))}`

/** Maps come back from DynamoDB in any order of their fields; the schema puts them in its own. */
export const fieldsIn = (data: Content, schema: ObjectSchema<unknown>): unknown =>
  v.parse(
    schema,
    Object.fromEntries(Object.keys(schema.entries).map((field) => [field, data[field]])),
  )
