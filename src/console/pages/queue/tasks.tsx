import { useState } from 'preact/hooks'
import { Button, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { Task } from './task.tsx'

const states = ['waiting', 'running', 'done', 'failed', 'lost', 'canceled'] as const
type TaskState = (typeof states)[number]

const isState = (text: string | undefined): text is TaskState => states.some((state) => state === text)

const size = 50

/** The API skips at most this many tasks. */
const maxOffset = 10_000

/** Tab of the console's queue page: the tasks of a worker, filtered by state, with actions to retry and cancel them. */
export function Tasks({ worker, state }: { worker: string; state: string | undefined }) {
  const [offset, setOffset] = useState(0)
  const [opened, setOpened] = useState<string>()
  const chosen = isState(state) ? state : undefined
  const tasks = useData(
    (signal) =>
      q().queue.get(
        '/tasks',
        { worker, ...(chosen && { state: chosen }), limit: size, offset, count: true },
        { signal },
      ),
    [worker, chosen, offset],
    { every: 3_000 },
  )
  const retry = useAction((id: string) => q().queue.post('/task/retry', { id }), {
    done: 'Task queued again.',
    after: tasks.reload,
  })
  const cancel = useAction((id: string) => q().queue.delete('/task', { id }), {
    done: 'Task canceled.',
    after: tasks.reload,
  })
  return (
    <>
      <p>
        <label>
          State{' '}
          <select
            value={chosen ?? ''}
            onChange={({ currentTarget }) => {
              setOffset(0)
              go(['queue', worker], { state: currentTarget.value })
            }}
          >
            <option value="">any</option>
            {states.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      <LoadedContent of={tasks}>
        {({ tasks: rows, nb_results }) => (
          <>
            <Table
              label="Tasks"
              rows={rows}
              keyOf={({ id }) => id}
              empty="No tasks."
              columns={[
                { title: 'State', of: (task) => <State of={task.state} /> },
                {
                  title: 'Request',
                  of: ({ id, method, url }) => (
                    <button type="button" class="plain" onClick={() => setOpened(id)}>
                      {method} {url}
                    </button>
                  ),
                },
                { title: 'Due', of: ({ due_at }) => <Time of={due_at} /> },
                { title: 'Attempts', isFigure: true, of: ({ attempts }) => attempts },
                { title: 'Response', of: ({ status, error }) => status ?? error ?? '–' },
                {
                  title: 'Action',
                  of: ({ id, state }) => (
                    <div class="actions">
                      {(state === 'failed' || state === 'lost' || state === 'canceled') && (
                        <Button label={`Retry task ${id}`} isBusy={retry.isBusy} onClick={() => retry.run(id)}>
                          Retry
                        </Button>
                      )}
                      {(state === 'waiting' || state === 'running') && (
                        <ConfirmButton
                          label={`Cancel task ${id}`}
                          question="Its request will not be sent again."
                          isBusy={cancel.isBusy}
                          onConfirm={() => cancel.run(id)}
                        >
                          Cancel
                        </ConfirmButton>
                      )}
                    </div>
                  ),
                },
              ]}
            />
            <Pager
              offset={offset}
              size={size}
              total={Math.min(nb_results ?? rows.length, maxOffset)}
              onTurn={setOffset}
            />
          </>
        )}
      </LoadedContent>
      {opened && <Task id={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
