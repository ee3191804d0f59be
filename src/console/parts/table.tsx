import type { ComponentChildren } from 'preact'

/** A column: its heading, and what it shows of a row. */
export interface Column<Row> {
  title: string
  of: (row: Row) => ComponentChildren
  /** Figures stand to the right. */
  isFigure?: boolean
}

interface TableProps<Row> {
  /** What the table lists; not shown, but read aloud. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** What is said where there is no row. */
  empty: string
  /** The row that something else on the page is about. */
  current?: string | number | undefined
}

/** A table that scrolls by itself where the page is too narrow. */
export function Table<Row>({ label, columns, rows, keyOf, empty, current }: TableProps<Row>) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isFigure }) => (
              <th key={title} scope="col" class={isFigure ? 'figure' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={current === keyOf(row) ? 'current' : undefined}>
              {columns.map(({ title, of, isFigure }) => (
                <td key={title} class={isFigure ? 'figure' : undefined}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Names and values, one pair a line. */
export function Facts({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
