import { Json, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'

/** Dialog of the console's queue page with a task, and its last attempts with their responses. */
export function Task({ id, onClose }: { id: string; onClose: () => void }) {
  const task = useData((signal) => q().queue.get('/task', { id }, { signal }), [id])
  const attempts = useData((signal) => q().queue.get('/task/attempts', { id }, { signal }), [id])
  return (
    <Dialog title="Task" onClose={onClose}>
      <LoadedContent of={attempts}>
        {({ attempts: rows }) => (
          <Table
            label="Attempts"
            rows={rows.toReversed()}
            keyOf={({ attempt, piece, started_at }) => `${attempt} ${piece?.min ?? ''} ${started_at}`}
            empty="No attempts yet."
            columns={[
              { title: 'Attempt', isFigure: true, of: ({ attempt }) => attempt },
              { title: 'Began', of: ({ started_at }) => <Time of={started_at} /> },
              { title: 'ms', isFigure: true, of: ({ duration_ms }) => duration_ms ?? '–' },
              { title: 'Response', of: ({ status, error }) => status ?? error ?? 'running' },
              { title: 'Body', of: ({ body }) => (body ? <code>{body}</code> : '–') },
            ]}
          />
        )}
      </LoadedContent>
      <LoadedContent of={task}>{(data) => <Json of={data.task} label="Task" />}</LoadedContent>
    </Dialog>
  )
}
