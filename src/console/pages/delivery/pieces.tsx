import { useState } from 'preact/hooks'
import { State } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { type Delivery, isLive } from './states.ts'
import { troubleOf } from './trouble.tsx'

const size = 50

/** Table of the pieces of a delivery's range that were requested. */
export function Pieces({ delivery }: { delivery: Delivery }) {
  const { id } = delivery
  const [offset, setOffset] = useState(0)
  // The list has no count: one row more than a page shows that there is another page.
  const pieces = useData(
    (signal) => q().delivery.get('/delivery/pieces', { id, limit: size + 1, offset }, { signal }),
    [id, offset],
    isLive(delivery) ? { every: 2_000 } : {},
  )
  return (
    <LoadedContent of={pieces}>
      {({ pieces: rows }) => (
        <>
          <Table
            label="Pieces"
            rows={rows.slice(0, size)}
            keyOf={({ min }) => min}
            empty="No pieces yet."
            columns={[
              { title: 'From', isFigure: true, of: ({ min }) => min },
              { title: 'To', isFigure: true, of: ({ max }) => max },
              { title: 'State', of: ({ state }) => <State of={state} /> },
              { title: 'Recipients', isFigure: true, of: ({ recipients }) => recipients },
              { title: 'Failed attempts', isFigure: true, of: ({ tries }) => tries },
              { title: 'Reason', of: ({ reason }) => (reason === null ? '–' : troubleOf(reason)) },
            ]}
          />
          <Pager offset={offset} size={size} total={offset + rows.length} onTurn={setOffset} />
        </>
      )}
    </LoadedContent>
  )
}
