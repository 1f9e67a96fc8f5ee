/** The items in groups of at most this size, in the same order. */
export const inGroups = <Each>(items: readonly Each[], size: number): Each[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  )
