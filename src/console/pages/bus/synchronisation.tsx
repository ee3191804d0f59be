import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'

/** Tab of the console's bus page: how far the bus has read the logs of its other instances, and the conflicts between them. */
export function Synchronisation() {
  const instances = useData((signal) => q().bus.get('/synchronisation', {}, { signal }), [], { every: 5_000 })
  return (
    <LoadedContent of={instances}>
      {({ instances: rows }) => (
        <Table
          label="Instances"
          rows={rows}
          keyOf={({ url }) => url}
          empty="No other instances. Configure them with BOX_IS_SYSTEM and BOX_INSTANCES."
          columns={[
            { title: 'Address', of: ({ url }) => url },
            { title: 'State', of: ({ error, succeeded_at }) => <State of={stateOf(error, succeeded_at)} /> },
            { title: 'Instance', of: ({ instance }) => instance ?? '–' },
            { title: 'Read up to', isFigure: true, of: ({ position }) => position },
            { title: 'Succeeded', of: ({ succeeded_at }) => <Time of={succeeded_at} /> },
            { title: 'Failed', of: ({ failed_at }) => <Time of={failed_at} /> },
            { title: 'Error', of: ({ error }) => error ?? '–' },
            {
              title: 'Not applied',
              of: ({ skipped, last_skipped }) => (
                <>
                  {skipped}
                  {last_skipped.map(({ position, reason }) => (
                    <div key={position} class="quiet">
                      {position}: {reason}
                    </div>
                  ))}
                </>
              ),
            },
          ]}
        />
      )}
    </LoadedContent>
  )
}

function stateOf(error: string | null, succeeded: string | null): string {
  if (error) return 'failed'
  return succeeded ? 'up' : 'waiting'
}
