/**
 * Returns the known name that the fewest edits lead to, or undefined if each takes edits in more than half of the
 * letters, or more than `mostEdits`.
 * @example nearest('userAtributes', ['groups', 'userAttributes']) // 'userAttributes'
 */
export function nearest(
  name: string,
  known: readonly string[],
  mostEdits = Number.POSITIVE_INFINITY,
): string | undefined {
  let best: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const max = Math.min(mostEdits, Math.max(name.length, candidate.length) / 2)
    if (Math.abs(name.length - candidate.length) > max) continue
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits > max || edits >= fewest) continue
    best = candidate
    fewest = edits
  }
  return best
}

/** The Levenshtein distance, row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] as number) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
