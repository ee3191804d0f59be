import { Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

/** Tab of the console's queue page: the schedules of a worker, with an action to delete each. */
export function Schedules({ worker }: { worker: string }) {
  const schedules = useData((signal) => q().queue.get('/schedules', { worker }, { signal }), [worker], { every: 5_000 })
  const remove = useAction((name: string) => q().queue.delete('/schedule', { worker, name }), {
    done: 'Schedule deleted.',
    after: schedules.reload,
  })
  return (
    <LoadedContent of={schedules}>
      {({ schedules: rows }) => (
        <Table
          label="Schedules"
          rows={rows}
          keyOf={({ name }) => name}
          empty="No schedules yet. Create one with a new task that has a cron expression."
          columns={[
            { title: 'Schedule', of: ({ name }) => name },
            { title: 'Cron', of: ({ cron }) => <code>{cron}</code> },
            { title: 'Time zone', of: ({ timezone }) => timezone },
            { title: 'Next', of: ({ next_at }) => <Time of={next_at} /> },
            {
              title: 'Action',
              of: ({ name }) => (
                <ConfirmButton
                  label={`Delete ${name}`}
                  question="This stops further tasks. Tasks that were already created stay."
                  isBusy={remove.isBusy}
                  onConfirm={() => remove.run(name)}
                >
                  Delete
                </ConfirmButton>
              ),
            },
          ]}
        />
      )}
    </LoadedContent>
  )
}
