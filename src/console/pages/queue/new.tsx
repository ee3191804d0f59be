import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const

/** Puts a task in line, or makes a schedule. */
export function NewTask({ worker }: { worker: string }) {
  const create = useAction(
    (values: FormValues) => q().queue.post('/task', { ...asParams<{ url: string }>(values), worker }),
    { done: 'The task is in line.', after: () => go(['queue', worker]) },
  )
  return (
    <Form
      fields={[
        { name: 'url', label: 'URL', kind: 'url', isRequired: true },
        { name: 'method', label: 'Method', kind: 'choice', options: methods },
        { name: 'json', label: 'JSON body', kind: 'json' },
        { name: 'delay', label: 'Delay', kind: 'number', help: 'Seconds from now' },
        { name: 'retries', label: 'Retries', kind: 'number', help: 'Attempts after the first; none unless given' },
        { name: 'cron', label: 'Cron', help: 'Makes a schedule: 0 9 * * 1-5' },
        { name: 'schedule', label: 'Name of the schedule' },
      ]}
      submit="Put it in line"
      onSubmit={create.run}
      isBusy={create.isBusy}
      error={create.error}
    />
  )
}
