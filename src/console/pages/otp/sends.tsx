import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { channels } from './channels.ts'

const size = 50

/** Recent sends, newest first, without passwords and with masked targets. */
export function Sends({ query }: { query: URLSearchParams }) {
  const before = Number(query.get('before')) || undefined
  const sends = useData(
    async (signal) => (await q().otp.get('/sends', { ...(before && { id: before }), limit: size }, { signal })).sends,
    [before],
    { every: 3_000 },
  )
  return (
    <LoadedContent of={sends}>
      {(rows) => (
        <>
          <Table
            label="Passwords sent lately"
            rows={rows}
            keyOf={({ id }) => id}
            empty="No password is valid now. Expired passwords are deleted within about a minute. Send one under Try it."
            columns={[
              { title: 'To', of: ({ target }) => target },
              { title: 'By', of: ({ channel }) => channels[channel].title },
              { title: 'State', of: ({ state }) => <State of={state} /> },
              { title: 'Sent', of: ({ created_at }) => <Time of={created_at} /> },
              { title: 'Valid until', of: ({ expires_at }) => <Time of={expires_at} /> },
              { title: 'Used', of: ({ used_at }) => <Time of={used_at} /> },
            ]}
          />
          <div class="actions">
            {before && <a href={hrefOf(['otp', 'sends'])}>The newest</a>}
            {rows.length === size && (
              <a href={hrefOf(['otp', 'sends'], { before: `${rows.at(-1)!.id}` })}>Older ones</a>
            )}
          </div>
        </>
      )}
    </LoadedContent>
  )
}
