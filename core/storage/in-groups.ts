/** The items in groups of at most this size, in the same order. */
export function inGroups<Each>(items: readonly Each[], size: number): Each[][] {
  const groups: Each[][] = []
  for (let from = 0; from < items.length; from += size) groups.push(items.slice(from, from + size))
  return groups
}
