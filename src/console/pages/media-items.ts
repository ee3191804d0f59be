import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { q } from '../session.ts'
import { type Loaded, useAction, useData } from '../use.ts'
import type { Kind } from './media-uploads.ts'

type Page = Reply<'media', 'get', '/items'>
export type Item = Page['items'][number]

const limit = 48

/** The items of a kind or of all, the newest first, as far as they have been asked for. */
export function useItems(kind: Kind | undefined) {
  const asked = { ...(kind && { kind }), limit }
  const newest = useData((signal) => q().media.get('/items', asked, { signal }), [kind])
  const [older, setOlder] = useState<Page>()
  const seen = useRef<Page>(undefined)
  useEffect(() => setOlder(undefined), [kind])
  const more = useAction((before: string) => q().media.get('/items', { ...asked, before }), {
    after: (page) => setOlder(joined(seen.current, page)),
  })
  const shown = newest.data && headed(newest.data, older)
  seen.current = shown
  const items: Loaded<Page> = { ...newest, data: shown }
  return { items, more }
}

/** A page after those that were seen before it. */
const joined = (seen: Page | undefined, page: Page): Page => ({
  ...page,
  items: [...(seen?.items ?? []), ...page.items],
})

/** What was seen under the newest items as they are now: all of it that is older, unless there may be something between. */
function headed(newest: Page, older: Page | undefined): Page {
  const lowest = newest.items.at(-1)?.digest
  const place = older?.items.findIndex(({ digest }) => digest === lowest) ?? -1
  if (!older || place < 0) return newest
  return { ...older, items: [...newest.items, ...older.items.slice(place + 1)] }
}
