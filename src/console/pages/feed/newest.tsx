import { usePaged } from '../../paged.ts'
import { Button } from '../../parts/bits.tsx'
import { More } from '../../parts/more.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { Records, type ShownRecord } from './records.tsx'

const limit = 25

/** The newest records of a collection, for all recipients. */
export function Newest({ collection }: { collection: string }) {
  const { loaded, more, drop } = usePaged<ShownRecord>(
    async (before, signal) => {
      const params = { collection, limit, ...(before && { id: Number(before) }) }
      const { records: rows, has_more } = await q().feed.get('/collection/records', params, { signal })
      const isFull = rows.length === limit || has_more
      return { rows, next: isFull ? String(rows.at(-1)?.id) : undefined }
    },
    ({ id }) => id,
    [collection],
  )
  return (
    <LoadedContent of={loaded}>
      {({ rows, next }) => (
        <>
          <Records
            {...{ collection, rows }}
            isMixed
            empty="No records yet. Add one with “New record”."
            onChanged={(gone) => {
              if (gone !== undefined) drop(gone)
              loaded.reload()
            }}
          />
          <div class="actions">
            <More next={next} action={more} />
            <Button onClick={loaded.reload}>Refresh</Button>
          </div>
        </>
      )}
    </LoadedContent>
  )
}
