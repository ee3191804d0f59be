import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { type Delivery, isLive } from './states.ts'

const size = 50

/** Table of the messages that failed or whose outcome is unknown. They have no personal data. */
export function Failures({ delivery, query }: { delivery: Delivery; query: URLSearchParams }) {
  const { id } = delivery
  const offset = Number(query.get('offset')) || 0
  const failures = useData(
    (signal) => q().delivery.get('/delivery/failures', { id, limit: size, offset, count: true }, { signal }),
    [id, offset],
    isLive(delivery) ? { every: 2_000 } : {},
  )
  return (
    <LoadedContent of={failures}>
      {({ failures: rows, nb_results }) => (
        <>
          <Table
            label="Failures"
            rows={rows}
            keyOf={({ min, index, channel }) => `${min} ${index} ${channel}`}
            empty="No failed messages."
            columns={[
              { title: 'Piece', of: ({ min, max }) => `${min} to ${max}` },
              { title: 'Index', isFigure: true, of: ({ index }) => index },
              { title: 'Channel', of: ({ channel }) => channel },
              { title: 'State', of: ({ state }) => <State of={state} /> },
              { title: 'Reason', of: ({ reason }) => reason },
              { title: 'Time', of: ({ at }) => <Time of={at} /> },
            ]}
          />
          <Pager
            offset={offset}
            size={size}
            total={nb_results ?? rows.length}
            onTurn={(offset) => go(['delivery', `${id}`, 'failures'], { offset: offset ? `${offset}` : '' })}
          />
        </>
      )}
    </LoadedContent>
  )
}
