export type ItemKey = { readonly pk: string; readonly sk?: string }

/** Attributes that mean the same in each item that has them (docs/design.md#the-data-model). */
type SharedAttributes = {
  readonly kind?: string
  readonly revision?: number | undefined
  readonly version?: string
  readonly deleted?: boolean | undefined
  /** Only in a tombstone: the identity of the deleted thing, as JSON. */
  readonly identity?: string
  readonly accountId?: string | undefined
  readonly deploymentId?: number
}

/** An item as it was read. */
export type Item = ItemKey & SharedAttributes & Readonly<Record<string, unknown>>

/** An item to write. */
export type NewItem = ItemKey & Readonly<Record<string, unknown>>

/** Names an item within its table. */
export const itemId = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

export const keyOf = ({ pk, sk }: ItemKey): ItemKey => (sk === undefined ? { pk } : { pk, sk })

export const byItemId = <Key extends ItemKey>(items: readonly Key[]): Map<string, Key> =>
  new Map(items.map((item) => [itemId(item), item]))

/** Whether the item is there and is no tombstone. */
export const isLive = (item: Item | undefined): item is Item =>
  item !== undefined && item.deleted !== true

/** Items as the SDK gives them. Each item of ours has a key. */
export const itemsFrom = (answered: readonly Readonly<Record<string, unknown>>[] = []): Item[] =>
  answered as Item[]

/** Attributes as placeholders, because some of their names are reserved words. */
export function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name]))
  return { ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names }
}
