import * as v from 'valibot'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import type { TableName } from '../storage/tables.ts'
import { type Change, lineOf, type Outcome } from './change.ts'
import type { Writer } from './writer.ts'

/** What an item holds besides its key: the thing's facts and index attributes. */
export type Attributes = Readonly<Record<string, unknown>>

/**
 * A kind of the catalog: how its changes look, and the items that they make. An item follows from its change alone, so
 * changes may come in any order, and from any number of writers.
 */
export type Kind<Data = unknown, Identity = unknown> = {
  readonly name: string
  readonly table: TableName
  readonly data: v.GenericSchema<unknown, Data> & { readonly entries: object }
  /** The fields that identify a thing, all that a delete needs. */
  readonly identity: v.GenericSchema<unknown, Identity>
  /** It is stored as a document, which has limits of its own. */
  readonly holdsDocument?: true
  key(identity: Identity): ItemKey
  /** @throws NotApplicable for what can't be stored */
  item(data: Data): Attributes
  /** The data of an item, as JSON. Left out: the fields of {@link data} as the item has them. */
  json?(item: Item): string
  /** What is done before a put is written, also where it's skipped then. */
  before?(writer: Writer, data: Data): Promise<void>
  /** Writes the change, where that is more than putting one item. */
  write?(writer: Writer, change: Change<Data, Identity>): Promise<Outcome>
  /** What is done after the write, also where the change was skipped: an earlier writer may have stopped before it. */
  after?(writer: Writer, change: Change<Data, Identity>): Promise<void>
  /** The lines that an item is in an export, where they are not {@link ownLine} alone, which `own` gives. */
  lines?(item: Item, own: () => string): string[]
}

/** Keeps the types of one kind together where it is defined. */
export const kind = <Data, Identity>(definition: Kind<Data, Identity>): Kind<Data, Identity> => definition

/** The change that an item is: the put that made it, or the delete that made it a tombstone. */
export function ownLine(kind: Kind, item: Item): string {
  const { revision } = item
  if (item.deleted === true) return lineOf(kind.name, 'delete', revision, item.identity as string)
  return lineOf(kind.name, 'put', revision, kind.json?.(item) ?? fieldsOf(kind, item))
}

/** Maps come back from DynamoDB in any order of their fields; the schema puts them in its own. */
function fieldsOf(kind: Kind, item: Item): string {
  const fields = Object.keys(kind.data.entries).filter((field) => item[field] !== undefined)
  return JSON.stringify(v.parse(kind.data, Object.fromEntries(fields.map((field) => [field, item[field]]))))
}
