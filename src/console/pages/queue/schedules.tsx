import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

/** The schedules of a worker, each of which makes a task again and again. */
export function Schedules({ worker }: { worker: string }) {
  const schedules = useData((signal) => q().queue.get('/schedules', { worker }, { signal }), [worker], { every: 5_000 })
  const remove = useAction((name: string) => q().queue.delete('/schedule', { worker, name }), {
    done: 'The schedule is gone.',
    after: schedules.reload,
  })
  return (
    <Shown of={schedules}>
      {({ schedules: rows }) => (
        <Table
          label="Schedules"
          rows={rows}
          keyOf={({ name }) => name}
          empty="There is no schedule. A new task with a cron expression makes one."
          columns={[
            { title: 'Schedule', of: ({ name }) => name },
            { title: 'Cron', of: ({ cron }) => <code>{cron}</code> },
            { title: 'Zone', of: ({ timezone }) => timezone },
            { title: 'Next', of: ({ next_at }) => <Time of={next_at} /> },
            {
              title: 'Action',
              of: ({ name }) => (
                <ConfirmButton
                  label={`Remove ${name}`}
                  question="It makes no more tasks; those that it has made stay."
                  isBusy={remove.isBusy}
                  onConfirm={() => remove.run(name)}
                >
                  Remove
                </ConfirmButton>
              ),
            },
          ]}
        />
      )}
    </Shown>
  )
}
