/** Formats rows as a text table with headings, for reports in the terminal. Columns of numbers are right-aligned. */
export function table(headings: string[], rows: (string | number)[][]): string {
  const cells = [headings, ...rows].map((row) => row.map(String))
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  const isFigure = (at: number) => typeof rows[0]?.[at] === 'number'
  return cells
    .map((row) => row.map((cell, at) => (isFigure(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))))
    .map((row) => row.join('  ').trimEnd())
    .join('\n')
}
