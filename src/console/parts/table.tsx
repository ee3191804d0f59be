// Tables of rows, and lists of names with values, for all pages of the console.
import type { ComponentChildren } from 'preact'

/** A column: its heading, and a function that renders the cell of a row. */
export interface Column<Row> {
  title: string
  of: (row: Row) => ComponentChildren
  /** Whether the column has numbers, which are aligned to the right. */
  isFigure?: boolean
}

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** Text that is shown instead of the table if there are no rows. */
  empty: string
  /** Key of the row that the user has selected, which is highlighted. */
  current?: string | number | undefined
}

/** A table of rows. On a narrow screen the table scrolls horizontally instead of the whole page. */
export function Table<Row>({ label, columns, rows, keyOf, empty, current }: TableProps<Row>) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users of a keyboard must be able to scroll
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

/** A list of names with values, one pair per line. Pairs with an empty value are left out. */
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
