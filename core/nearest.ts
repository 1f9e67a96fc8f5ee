/**
 * Returns the known name with the fewest edits, unless these are more than half of the letters of
 * the longer name, or more than `mostEdits`. A text of one or two letters is near only to the same
 * letters in another case.
 * @example nearest('userAtributes', ['groups', 'userAttributes']) // 'userAttributes'
 */
export function nearest(name: string, known: readonly string[], mostEdits = Infinity) {
  const most = (candidate: string) =>
    Math.min(name.length, candidate.length) < 3
      ? 0
      : Math.min(mostEdits, Math.max(name.length, candidate.length) / 2)
  const [best] = known
    .filter((candidate) => Math.abs(name.length - candidate.length) <= most(candidate))
    .map((candidate) => ({
      candidate,
      edits: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, edits }) => edits <= most(candidate))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
}

/** The Levenshtein distance, row by row. */
function editDistance(from: string, to: string): number {
  const letters = [...to]
  let row = [0, ...letters.map((_, column) => column + 1)]
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    letters.forEach((other, column) => {
      const replaced = (row[column] as number) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    })
    row = next
  }
  return row.at(-1) as number
}
