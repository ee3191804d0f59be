import { useEffect, useRef, useState } from 'preact/hooks'
import { type Action, type Loaded, useAction, useData } from './use.ts'

/** Rows of a list that is not counted; `next` is what the page after them is asked for with. */
interface Page<Row> {
  rows: Row[]
  next: string | undefined
}

/** A list as far as it has been asked for; `reload` brings what is new on top, and leaves the place where it is. */
interface Paged<Row> {
  loaded: Loaded<Page<Row>>
  more: Action<[next: string]>
  /** Takes a row out that is known to be gone. */
  drop: (key: string | number) => void
}

/** Loads the first page, and each further one when it is asked for; begins again when `inputs` change. */
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
    if (data) setSeen((before) => headed(data, before, keyOf))
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

/** What was seen under the first page as it is now: all that comes after it, unless there may be something between. */
function headed<Row>(first: Page<Row>, seen: Page<Row> | undefined, keyOf: (row: Row) => string | number): Page<Row> {
  const lowest = first.rows.at(-1)
  const place = lowest && seen ? seen.rows.findIndex((row) => keyOf(row) === keyOf(lowest)) : -1
  if (!seen || place < 0 || !first.next) return first
  return { ...seen, rows: [...first.rows, ...seen.rows.slice(place + 1)] }
}
