import { Button, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

/** Tab of the console's queue page: the schedules of a worker, with actions to pause, resume, run and delete each. */
export function Schedules({ worker }: { worker: string }) {
  const schedules = useData((signal) => q().queue.get('/schedules', { worker }, { signal }), [worker], { every: 5_000 })
  const remove = useAction((name: string) => q().queue.delete('/schedule', { worker, name }), {
    done: 'Schedule deleted.',
    after: schedules.reload,
  })
  const pause = useAction((name: string) => q().queue.post('/schedule/pause', { worker, name }), {
    done: 'Schedule paused.',
    after: schedules.reload,
  })
  const resume = useAction((name: string) => q().queue.post('/schedule/resume', { worker, name }), {
    done: 'Schedule resumed.',
    after: schedules.reload,
  })
  const run = useAction((name: string) => q().queue.post('/schedule/run', { worker, name }), {
    done: 'Task created.',
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
            { title: 'Request', of: ({ method, url }) => `${method} ${url}` },
            { title: 'Cron', of: ({ cron }) => <code>{cron}</code> },
            { title: 'Time zone', of: ({ timezone }) => timezone },
            {
              title: 'Last run',
              of: ({ last_run }) =>
                last_run ? (
                  <>
                    <State of={last_run.state} /> {last_run.status ?? last_run.error} <Time of={last_run.due_at} />
                  </>
                ) : (
                  '–'
                ),
            },
            {
              title: 'Next',
              of: ({ is_paused, next_local }) => (is_paused ? <State of="paused" /> : (next_local ?? '–')),
            },
            {
              title: 'Action',
              of: ({ name, is_paused }) => (
                <div class="actions">
                  <Button label={`Run ${name}`} isBusy={run.isBusy} onClick={() => run.run(name)}>
                    Run now
                  </Button>
                  {is_paused ? (
                    <Button label={`Resume ${name}`} isBusy={resume.isBusy} onClick={() => resume.run(name)}>
                      Resume
                    </Button>
                  ) : (
                    <Button label={`Pause ${name}`} isBusy={pause.isBusy} onClick={() => pause.run(name)}>
                      Pause
                    </Button>
                  )}
                  <ConfirmButton
                    label={`Delete ${name}`}
                    question="This stops further tasks. Tasks that were already created stay."
                    isBusy={remove.isBusy}
                    onConfirm={() => remove.run(name)}
                  >
                    Delete
                  </ConfirmButton>
                </div>
              ),
            },
          ]}
        />
      )}
    </LoadedContent>
  )
}
