type Most = { readonly items: number; readonly bytes: number }

/**
 * Puts items into as few batches as their order allows. An item that is too large for any batch
 * gets a batch of its own.
 * @param bytesOf what an item adds to its batch
 */
export async function* batchesOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
  most: Most,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  let bytes = 0
  for await (const item of items) {
    const added = bytesOf(item)
    if (batch.length === most.items || (batch.length > 0 && bytes + added > most.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += added
  }
  if (batch.length > 0) yield batch
}
