/** No column is made narrower than this to fit, so that no number is cut. */
const leastWidth = 12

/**
 * Puts cells below the heads of their columns. Numbers stand at the right.
 * @param most how wide the lines may be. The widest columns are cut until they fit
 */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  most = Infinity,
): string {
  const texts = [heads, ...rows].map((row) => row.map(String))
  const widths = heads.map((_, column) =>
    texts.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  )
  const isTooWide = () => widths.reduce((sum, width) => sum + width + 2, -2) > most
  for (let widest = Math.max(...widths); isTooWide() && widest > leastWidth; widest -= 1) {
    for (const [column, width] of widths.entries()) widths[column] = Math.min(width, widest - 1)
  }
  const cellOf = (text: string, column: number): string => {
    const width = widths[column] ?? 0
    // The first half of a surrogate pair is no letter.
    const beginning = text.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')
    const cut = text.length > width ? `${beginning}…` : text
    return typeof rows[0]?.[column] === 'number' ? cut.padStart(width) : cut.padEnd(width)
  }
  return texts.map((row) => row.map(cellOf).join('  ').trimEnd()).join('\n')
}
