// Writes and reads Markdown tables, and replaces the generated parts of a page.

/** A table whose columns are aligned right, except the first. */
export const markdownTable = (heads: string[], rows: string[][]): string =>
  [heads, heads.map((_, at) => (at === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** The tables of a text, each as its rows of cells, the headings first. */
export const tablesIn = (text: string): string[][][] =>
  [...text.matchAll(/^\|.*\n\|[- :|]+\|\n(?:\|.*(?:\n|$))*/gm)].map(([lines]) =>
    lines
      .trim()
      .split('\n')
      .filter((_, at) => at !== 1)
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      ),
  )

/** The markers around the generated parts of docs/costs.md. */
const markers = {
  tables: ['<!-- begin: npm run cost -- --write -->', '<!-- end -->'],
  bills: ['<!-- begin: npm run cost -- --bills -->', '<!-- end of the bills -->'],
} as const

type Part = keyof typeof markers

/** The text between the markers of a part. */
export function partOf(page: string, part: Part): string {
  const [start, end] = placeOf(page, part)
  return page.slice(start, end)
}

/** A page with another text between the markers of a part. */
export function withPart(page: string, part: Part, text: string): string {
  const [start, end] = placeOf(page, part)
  return `${page.slice(0, start)}\n\n${text}\n\n${page.slice(end)}`
}

function placeOf(page: string, part: Part): [start: number, end: number] {
  const [begin, end] = markers[part]
  const at = page.indexOf(begin)
  const start = at + begin.length
  const stop = page.indexOf(end, start)
  if (at < 0 || stop < 0) throw new Error(`The page must have ${begin} and ${end}`)
  return [start, stop]
}
