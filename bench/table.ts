/** Prints a table in Markdown. */
export function printTable(titles: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const lines = [titles, titles.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |\n`,
  )
  process.stdout.write(lines.join(''))
}
