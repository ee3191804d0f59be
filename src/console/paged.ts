// Hook of the console that loads a list page by page with a cursor, when the user clicks "More".
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Action, type Loaded, useAction, useData } from './use.ts'

/** A page of rows. `next` is the cursor of the next page. */
interface Page<Row> {
  rows: Row[]
  next: string | undefined
}

/** The loaded part of a list. `reload` adds new rows at the top and keeps the rows that were loaded before. */
interface Paged<Row> {
  loaded: Loaded<Page<Row>>
  more: Action<[next: string]>
  /** Removes a row from the loaded part, after the user has deleted the item. */
  drop: (key: string | number) => void
}

/** Loads the first page of a list, and a further page with each call of `more`. Starts again when `inputs` change. */
export function usePaged<Row>(
  load: (next: string | undefined, signal?: AbortSignal) => Promise<Page<Row>>,
  keyOf: (row: Row) => string | number,
  inputs: readonly unknown[],
): Paged<Row> {
  const first = useData((signal) => load(undefined, signal), inputs)
  const [seen, setSeen] = useState<Page<Row>>()
  const subject = JSON.stringify(inputs)
  const now = useRef(subject)
  now.current = subject
  useEffect(() => setSeen(undefined), [subject])
  useEffect(() => {
    const { data } = first
    if (data) setSeen((before) => joinPages(data, before, keyOf))
  }, [first.data])
  const more = useAction(async (next: string) => ({ subject, page: await load(next) }), {
    after: ({ subject, page }) => {
      if (subject === now.current) setSeen((before) => ({ ...page, rows: [...(before?.rows ?? []), ...page.rows] }))
    },
  })
  return {
    loaded: { ...first, data: first.data && (seen ?? first.data) },
    more,
    drop: (key) => setSeen((before) => before && { ...before, rows: before.rows.filter((row) => keyOf(row) !== key) }),
  }
}

/**
 * Joins the reloaded first page and the rows after it that were loaded before. If rows between them may be missing, keeps only
 * the first page.
 */
function joinPages<Row>(
  first: Page<Row>,
  seen: Page<Row> | undefined,
  keyOf: (row: Row) => string | number,
): Page<Row> {
  const lowest = first.rows.at(-1)
  const place = lowest && seen ? seen.rows.findIndex((row) => keyOf(row) === keyOf(lowest)) : -1
  if (!seen || place < 0 || !first.next) return first
  return { ...seen, rows: [...first.rows, ...seen.rows.slice(place + 1)] }
}
