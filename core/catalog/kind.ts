import { hash } from 'node:crypto'
import * as v from 'valibot'
import { goneGraceSeconds, updateForDeletion } from '../access/revocation.ts'
import { exactly } from '../schema.ts'
import { type Also, newVersion } from '../storage/conditional-writes.ts'
import { jsonIn } from '../storage/document.ts'
import type { Item, ItemKey, NewItem } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { quoted } from './quoted.ts'

export const kindNames = [
  'account',
  'user',
  'apiKey',
  'deployment',
  'embedTenant',
  'group',
  'tenantGroup',
  'attributeDefinition',
  'folder',
  'workbook',
  'share',
  'dbtSync',
  'notification',
  'recipient',
] as const

export type KindName = (typeof kindNames)[number]

/** Fields of a change, or attributes of an item. */
export type Content = Readonly<Record<string, unknown>>

/** What every catalog change says besides its kind (docs/catalog.md). */
export type Change<Data = Content, Identity = Data> =
  | { readonly op: 'put'; readonly revision?: number | undefined; readonly data: Data }
  | { readonly op: 'delete'; readonly revision?: number | undefined; readonly data: Identity }

/** Whether the same revision or a newer one is stored. */
export const isOutdated = (revision: number | undefined, known: number | undefined): boolean =>
  revision !== undefined && known !== undefined && revision <= known

/** What is wrong in a change: the JSON pointer of a field, such as `/data/parentId`, and why. */
export type Problem = { readonly pointer: string; readonly reason: string }

/** A change that is valid field by field, but can never be applied. */
export class NotApplicable extends Error {
  readonly problem: Problem
  constructor(pointer: string, reason: string) {
    super(reason)
    this.problem = { pointer, reason }
  }
}

/** @throws NotApplicable */
export function requireAtMost(most: number, what: string, bytes: number): void {
  if (bytes > most) throw new NotApplicable('/data', `${what} ${bytes} bytes; the limit is ${most}`)
}

export type Writer = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  /** Functions that name embed tenants, by deployment and name: see `named-tenants.ts`. */
  readonly named: Map<string, (through: Storage) => Promise<void>>
}

/** Gives the attributes of an item that depend on the stored item. `version` is the item's. */
export type FromStored = (item: NewItem, stored: Item | undefined, version: string) => Content

type ObjectSchema<Output> = v.GenericSchema<unknown, Output> & { readonly entries: object }

/**
 * A kind of the catalog. The newest change of a thing wins, so changes may come in any order and
 * from any writer (docs/catalog.md).
 */
export type Kind<Data extends Content = Content, Identity extends Content = Content> = {
  readonly name: KindName
  readonly table: TableName
  readonly data: ObjectSchema<Data>
  /** The fields that identify a thing. A delete needs no others. */
  readonly identity: ObjectSchema<Identity>
  /**
   * A delete has the identity, and may have each other field of a put with any value. Unknown
   * fields are refused: one may be a misspelt name of a field that identifies the thing.
   */
  readonly deletion: ObjectSchema<Content>
  /** Tombstones do not expire by themselves. */
  readonly tombstoneStays?: true
  /** The most bytes of the data as JSON, if things are stored as documents. */
  readonly maxDocumentBytes?: number
  key(identity: Identity): ItemKey
  /**
   * The attributes of an item besides its key: the facts of the thing, and index attributes.
   * @throws NotApplicable if this cannot be stored
   */
  item(data: Data): Content
  /** The JSON of an item's data. */
  json(item: Item): string
  /** The key of the item that revokes the tokens of a thing that is deleted. */
  revocation?(identity: Identity): ItemKey
  readonly fromStored?: FromStored
  /** Writes a change that takes more than one put. Returns whether the change was applied. */
  write?(writer: Writer, parsed: Parsed<Data, Identity>): Promise<boolean>
  /**
   * Looks at other things after the write, even if the change was skipped: an earlier writer may
   * have stopped before it.
   */
  followUp?(writer: Writer, parsed: Parsed<Data, Identity>): Promise<void>
  /** The lines of an item in an export. By default this is {@link ownLine} alone. */
  lines?(item: Item, kind: Kind): string[]
}

/** A valid change, with the key and the content of its item. */
export type Parsed<Data extends Content = Content, Identity extends Content = Content> = {
  readonly kind: Kind<Data, Identity>
  readonly key: ItemKey
  readonly change: Change<Data, Identity>
  readonly content: Content
  /** The fields that this version does not know and leaves out. */
  readonly leftOut: readonly Problem[] | undefined
}

/** Defines a kind. By default its items are in the catalog and have the data as attributes. */
export const kind = <Data extends Content, Identity extends Content>(
  definition: Omit<Kind<Data, Identity>, 'table' | 'deletion' | 'item' | 'json'> &
    Partial<Kind<Data, Identity>>,
): Kind<Data, Identity> => ({
  table: 'catalog',
  deletion: exactly({
    ...v.entriesFromList(Object.keys(definition.data.entries), v.optional(v.unknown())),
    ...(definition.identity.entries as v.ObjectEntries),
  }),
  item: (data) => data,
  json: definition.maxDocumentBytes
    ? jsonIn
    : (item) => JSON.stringify(fieldsIn(item, definition.data)),
  ...definition,
})

/** Operation and content of a change as text, to compare it with another change of the thing. */
export const contentOf = ({ change, content }: Parsed): string =>
  `${change.op} ${JSON.stringify(content)}`

/**
 * The hash of a text as a number, which keeps its first 53 bits. Among a million things, the chance
 * that any two share a digest is less than 1 in 20,000.
 */
export const digest = (text: string): number => Number.parseInt(hash('sha256', text), 16)

/** How long a tombstone is kept that does not stay for good, in milliseconds (docs/catalog.md). */
const tombstoneAge = 90 * 24 * 3_600_000
export const tombstoneExpiry = (now: number) => ({
  tombstoneExpiresAt: Math.floor((now + tombstoneAge) / 1000),
})

/** What the item of a deleted thing has. It is in no index. */
export const tombstoneOf = (kind: Kind, identity: Content, now: number) => ({
  deleted: true,
  identity: JSON.stringify(identity),
  ...(!kind.tombstoneStays && tombstoneExpiry(now)),
})

export const identityIn = ({ identity }: Item) => JSON.parse(String(identity))

/** The write that ends the tokens of a deleted thing. Undefined for a kind without tokens. */
export const updateEndingTokens = (
  { storage, now }: Writer,
  { revocation }: Kind,
  identity: Content,
): Also | undefined => {
  if (!revocation) return undefined
  const { sessions } = storage.tables
  const key = revocation(identity)
  return () => ({ Update: updateForDeletion(sessions, key, now(), goneGraceSeconds) })
}

/** The item that a change makes, without its revision. Each has a version of its own. */
export const itemOfChange = ({ kind, key, change, content }: Parsed, now: number): NewItem => ({
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
 * Names a thing for a person, by its data or item: `workbook 100`, `group
 * {"accountId":"acme","name":"staff"}`.
 */
export const nameOf = ({ name, identity }: Kind, data: Content): string =>
  `${name} ${quoted(data.id ?? fieldsIn(data, identity))}`

/**
 * Returns the fields of a schema in the order of the schema, because DynamoDB returns a map in any
 * order. This also returns what the schema refuses: an earlier version may have stored it.
 */
export const fieldsIn = <Fields>(data: Content, schema: ObjectSchema<Fields>): Fields => {
  const fields = Object.keys(schema.entries).map((field) => [field, data[field]])
  return v.safeParse(schema, Object.fromEntries(fields)).output as Fields
}
