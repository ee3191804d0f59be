import { useState } from 'preact/hooks'
import { State } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

const actions = ['retry', 'cancel', 'delete'] as const
type Action = (typeof actions)[number]

const effects: Record<Action, string> = {
  retry: 'Their requests are sent again. Tasks that had secrets stay unchanged.',
  cancel: 'Their requests will not be sent again.',
  delete: 'The tasks and their attempts are deleted.',
}

interface Filter {
  worker: string
  state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
  key?: string
  label?: string
  from?: string
  to?: string
}

/** The tasks that a dry run has counted. */
interface Counted {
  action: Action
  filter: Filter
  count: number
}

/** Tab of the console's queue page: retries, cancels or deletes all tasks that match, after a dry run that counts them. */
export function Bulk({ worker }: { worker: string }) {
  const [counted, setCounted] = useState<Counted>()
  const [operation, setOperation] = useState<string>()
  const count = useAction(async ({ action, ...values }: FormValues) => {
    const chosen = actions.find((one) => one === action) ?? 'retry'
    const filter = { ...asParams<Omit<Filter, 'worker'>>(values), worker }
    const { count } = await q().queue.post(`/tasks/${chosen}`, { ...filter, dry_run: true })
    setOperation(undefined)
    setCounted({ action: chosen, filter, count: count ?? 0 })
  })
  const begin = useAction(
    async ({ action, filter }: Counted) => {
      const { operation } = await q().queue.post(`/tasks/${action}`, filter)
      setOperation(operation?.id)
      setCounted(undefined)
    },
    { done: 'Operation started.' },
  )
  return (
    <>
      <Form
        fields={[
          { name: 'action', label: 'Action', kind: 'choice', options: actions },
          {
            name: 'state',
            label: 'State',
            kind: 'choice',
            options: [{ value: '', label: 'any' }, 'waiting', 'running', 'done', 'failed', 'lost', 'canceled'],
          },
          { name: 'key', label: 'Key' },
          { name: 'label', label: 'Label' },
          { name: 'from', label: 'Created from', help: 'UTC, such as 2030-01-31 12:00:00' },
          { name: 'to', label: 'Created before', help: 'UTC' },
        ]}
        submit="Count tasks"
        onSubmit={count.run}
        isBusy={count.isBusy}
        error={count.error}
        keeps
      />
      {counted && (
        <div class="actions" role="status">
          <span>{counted.count} tasks match.</span>
          {counted.count > 0 && (
            <ConfirmButton
              question={`This applies to ${counted.count} tasks. ${effects[counted.action]}`}
              isBusy={begin.isBusy}
              onConfirm={() => begin.run(counted)}
            >
              {`${labels[counted.action]} ${counted.count} tasks`}
            </ConfirmButton>
          )}
        </div>
      )}
      {operation && <Progress id={operation} />}
    </>
  )
}

const labels: Record<Action, string> = { retry: 'Retry', cancel: 'Cancel', delete: 'Delete' }

/** The progress of an operation. */
function Progress({ id }: { id: string }) {
  const operation = useData((signal) => q().queue.get('/operation', { id }, { signal }), [id], { every: 1_000 })
  return (
    <LoadedContent of={operation}>
      {({ operation: { action, state, matched, done } }) => (
        <p role="status">
          <State of={state} /> {labels[action]}: {done} of {matched} tasks.
        </p>
      )}
    </LoadedContent>
  )
}
