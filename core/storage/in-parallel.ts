/** Runs the work for every item, at most `width` at a time. Rejects at the first failure; the other items go on. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
  width = 32,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
}
