/** Prints a table: its first column is text, the others are figures. */
export function printRows(titles: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const widths = titles.map((_, column) => Math.max(...[titles, ...rows].map((row) => String(row[column]).length)))
  for (const row of [titles, ...rows]) {
    const cells = row.map((cell, column) => {
      const width = widths[column] as number
      return column === 0 ? String(cell).padEnd(width) : String(cell).padStart(width)
    })
    console.log(cells.join('  '))
  }
}
