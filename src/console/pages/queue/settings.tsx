import type { Reply } from '#client/index'
import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Form, type FormField, type FormValues } from '../../parts/form.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

type Worker = Reply<'queue', 'get', '/worker'>['worker']

/** Tab of the console's queue page: the settings of a worker, with a form that changes them, and its paused keys. */
export function Settings({ worker: name }: { worker: string }) {
  const worker = useData((signal) => q().queue.get('/worker', { name }, { signal }), [name], { every: 5_000 })
  const save = useAction((values: FormValues) => q().queue.put('/worker', { name, ...settingsIn(values) }), {
    done: 'Settings saved.',
    after: worker.reload,
  })
  const remove = useAction(() => q().queue.delete('/worker', { name }), {
    done: 'Worker deleted.',
    after: () => go(['queue']),
  })
  return (
    <LoadedContent of={worker}>
      {({ worker: shown }) => (
        <>
          <Form
            key={JSON.stringify(fieldsOf(shown))}
            fields={fieldsOf(shown)}
            submit="Save settings"
            onSubmit={save.run}
            isBusy={save.isBusy}
            error={save.error}
            keeps
          >
            {shown.source === 'stored' && (
              <ConfirmButton
                label={`Delete ${name}`}
                question="This deletes the settings. Without a preset, the worker and its ended tasks are deleted too, if no task waits or runs."
                isBusy={remove.isBusy}
                onConfirm={() => remove.run()}
              >
                Delete worker
              </ConfirmButton>
            )}
          </Form>
          <PausedKeys keys={shown.paused_keys} />
        </>
      )}
    </LoadedContent>
  )
}

function PausedKeys({ keys }: { keys: Worker['paused_keys'] }) {
  return (
    <Table
      label="Paused keys"
      rows={keys}
      keyOf={({ key }) => key}
      empty="No key is paused."
      columns={[
        { title: 'Paused key', of: ({ key }) => key },
        { title: 'Until', of: ({ until }) => <Time of={until} /> },
        { title: 'Failures in a row', isFigure: true, of: ({ failures }) => failures },
      ]}
    />
  )
}

/** Tab of the console's queue page: the form that creates a worker. */
export function NewWorker() {
  const create = useAction(
    (values: FormValues) => {
      const name = String(values.name)
      return q().queue.put('/worker', { name, ...settingsIn(values) })
    },
    { done: 'Worker created.', after: () => go(['queue']) },
  )
  const name = { name: 'name', label: 'Name', isRequired: true, help: 'Letters, digits, _, . and -' }
  return (
    <Form
      fields={[name, ...fieldsOf()]}
      submit="Create worker"
      onSubmit={create.run}
      isBusy={create.isBusy}
      error={create.error}
    />
  )
}

/** The fields of the settings. The names are those of the API, with dots, so that the API's messages appear next to them. */
function fieldsOf(worker?: Worker): FormField[] {
  const number = (name: string, label: string, value: number | null | undefined, help: string): FormField => {
    return { name, label, kind: 'number', value: value ?? undefined, help }
  }
  const { per_key, rate_limit, retention } = worker ?? {}
  return [
    { ...number('daemons', 'Daemons', worker?.daemons ?? 4, 'Requests at a time'), isRequired: true },
    number(
      'per_key.concurrency',
      'Tasks per key',
      per_key?.order ? null : per_key?.concurrency,
      'At a time. Empty: no limit',
    ),
    { name: 'per_key.order', label: 'Strict order per key', kind: 'check', value: per_key?.order ?? false },
    number('per_key.rate.limit', 'Requests per key', per_key?.rate?.limit, 'That may start in a period'),
    number('per_key.rate.period', 'Period per key', per_key?.rate?.period, 'Seconds'),
    number('rate.limit', 'Requests of the worker', rate_limit?.limit, 'That may start in a period'),
    number('rate.period', 'Period of the worker', rate_limit?.period, 'Seconds'),
    {
      ...{ name: 'serial', label: 'After a crash', kind: 'choice', value: worker?.serial ?? '' },
      options: [
        ...(worker ? [] : [{ value: '', label: 'Default' }]),
        { value: 'strict', label: 'Wait for the deadline of the interrupted request' },
        { value: 'resume', label: 'Take the next task at once' },
      ],
    },
    number('shards', 'Shards', worker?.shards ?? 1, 'Can be changed only while the worker is empty'),
    number('retention.seconds', 'Keep ended tasks for', retention?.seconds, 'Seconds. Empty: QUEUE_RETENTION'),
    number('retention.count', 'Keep ended tasks, at most', retention?.count, 'Number of tasks'),
  ]
}

/** The parameters of `PUT /worker` from the values of the form: a name with dots is a path. */
function settingsIn(values: FormValues): { daemons: number } {
  const settings: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.')
    const last = steps.pop()!
    let at = settings
    for (const step of steps) {
      const inner = (at[step] ?? {}) as Record<string, unknown>
      at[step] = inner
      at = inner
    }
    at[last] = value
  }
  return settings as { daemons: number }
}
