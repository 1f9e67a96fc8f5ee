/**
 * Returns the known name with the fewest edits, unless these are more than half of the letters of
 * the longer name, or more than `mostEdits`. A text of one or two letters is near only to the same
 * letters in another case.
 * @example nearest('userAtributes', ['groups', 'userAttributes']) // 'userAttributes'
 */
export function nearest(name: string, known: readonly string[], mostEdits = Infinity) {
  const mostEditsTo = (candidate: string) =>
    Math.min(name.length, candidate.length) < 3
      ? 0
      : Math.min(mostEdits, Math.max(name.length, candidate.length) / 2)
  const letters = lettersOf(name)
  const [best] = known
    .filter((candidate) => Math.abs(name.length - candidate.length) <= mostEditsTo(candidate))
    .map((candidate) => ({ candidate, edits: editDistance(letters, lettersOf(candidate)) }))
    .filter(({ candidate, edits }) => edits <= mostEditsTo(candidate))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
}

const lettersOf = (name: string) =>
  Int32Array.from([...name.toLowerCase()], (letter) => letter.codePointAt(0) as number)

/** The Levenshtein distance. Each row replaces the one above, since thousands may be compared. */
function editDistance(from: Int32Array, to: Int32Array): number {
  const row = to.map((_, column) => column + 1)
  for (let above = 0; above < from.length; above += 1) {
    let diagonal = above
    let left = above + 1
    for (let column = 0; column < to.length; column += 1) {
      const up = row[column] as number
      left = Math.min(from[above] === to[column] ? diagonal : diagonal + 1, up + 1, left + 1)
      row[column] = left
      diagonal = up
    }
  }
  return row.at(-1) ?? from.length
}
