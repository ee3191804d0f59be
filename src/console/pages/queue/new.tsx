import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const

/** Tab of the console's queue page: the form that creates a task or a schedule. */
export function NewTask({ worker }: { worker: string }) {
  const create = useAction(
    (values: FormValues) => q().queue.post('/task', { ...asParams<{ url: string }>(values), worker }),
    { done: 'Task created.', after: () => go(['queue', worker]) },
  )
  return (
    <Form
      fields={[
        { name: 'url', label: 'URL', kind: 'url', isRequired: true },
        { name: 'method', label: 'Method', kind: 'choice', options: methods },
        { name: 'json', label: 'JSON body', kind: 'json' },
        { name: 'labels', label: 'Labels', kind: 'list', help: 'Up to 8, separated by commas' },
        { name: 'delay', label: 'Delay', kind: 'number', help: 'Seconds until the task is due' },
        { name: 'retries', label: 'Retries', kind: 'number', help: 'Maximum number of retries. Default: 0' },
        { name: 'cron', label: 'Cron', help: 'Creates a schedule, such as 0 9 * * 1-5' },
        { name: 'schedule', label: 'Schedule name' },
      ]}
      submit="Create task"
      onSubmit={create.run}
      isBusy={create.isBusy}
      error={create.error}
    />
  )
}
