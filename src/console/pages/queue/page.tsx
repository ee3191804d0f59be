import { Button, State, Time } from '../../parts/bits.tsx'
import { LoadedContent, Page, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { hrefOf, type PageOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { Bulk } from './bulk.tsx'
import { NewTask } from './new.tsx'
import { Schedules } from './schedules.tsx'
import { NewWorker, Settings } from './settings.tsx'
import { Tasks } from './tasks.tsx'

/** Titles of the tabs, by the part of the path. */
const titles: Record<string, string> = {
  tasks: 'Tasks',
  schedules: 'Schedules',
  many: 'Many tasks',
  settings: 'Settings',
  new: 'New task',
}

/** Console page of the queue: its workers, and the tasks and schedules of the worker in the path. */
export default function Queue({ path: [worker, part = 'tasks'], query }: PageOf) {
  return (
    <Page
      title={worker ? `Queue: ${worker}` : 'Queue'}
      about={`Sends HTTP requests at a chosen time.${worker ? '' : ' Open a worker to see its tasks, or to create one.'}`}
    >
      <Workers current={worker} />
      {worker && (
        <>
          <Tabs
            label={`Worker ${worker}`}
            tabs={{
              Tasks: hrefOf(['queue', worker]),
              Schedules: hrefOf(['queue', worker, 'schedules']),
              'Many tasks': hrefOf(['queue', worker, 'many']),
              Settings: hrefOf(['queue', worker, 'settings']),
              'New task': hrefOf(['queue', worker, 'new']),
            }}
            current={titles[part] ?? ''}
          />
          {part === 'tasks' && <Tasks worker={worker} state={query.get('state') ?? undefined} />}
          {part === 'schedules' && <Schedules worker={worker} />}
          {part === 'many' && <Bulk worker={worker} />}
          {part === 'settings' && <Settings worker={worker} />}
          {part === 'new' && <NewTask worker={worker} />}
        </>
      )}
      {!worker && (
        <Section title="New worker">
          <NewWorker />
        </Section>
      )}
    </Page>
  )
}

function Workers({ current }: { current: string | undefined }) {
  const workers = useData((signal) => q().queue.get('/workers', {}, { signal }), [], { every: 2_000 })
  const pause = useAction((worker: string) => q().queue.post('/worker/pause', { worker }), {
    done: 'Worker paused.',
    after: workers.reload,
  })
  const resume = useAction((worker: string) => q().queue.post('/worker/resume', { worker }), {
    done: 'Worker resumed.',
    after: workers.reload,
  })
  return (
    <Section
      title={current === undefined ? 'Workers' : 'Worker'}
      actions={current && <a href={hrefOf(['queue'])}>All workers</a>}
    >
      <LoadedContent of={workers}>
        {({ workers: rows }) => (
          <Table
            label="Workers"
            rows={current === undefined ? rows : rows.filter(({ name }) => name === current)}
            keyOf={({ name }) => name}
            empty="No workers."
            columns={[
              { title: 'Worker', of: ({ name }) => <a href={hrefOf(['queue', name])}>{name}</a> },
              {
                title: 'State',
                of: ({ is_paused, running }) => <State of={is_paused ? 'paused' : running > 0 ? 'running' : 'idle'} />,
              },
              { title: 'Waiting', isFigure: true, of: ({ depth }) => depth },
              { title: 'Due', isFigure: true, of: ({ due }) => due },
              { title: 'Running', isFigure: true, of: ({ running, daemons }) => `${running} of ${daemons}` },
              { title: 'Oldest due', of: ({ oldest_due_at }) => <Time of={oldest_due_at} /> },
              { title: 'Tasks/s', isFigure: true, of: ({ rate }) => rate.toFixed(1) },
              {
                title: 'Action',
                of: ({ name, is_paused }) =>
                  is_paused ? (
                    <Button label={`Resume ${name}`} isBusy={resume.isBusy} onClick={() => resume.run(name)}>
                      Resume
                    </Button>
                  ) : (
                    <Button label={`Pause ${name}`} isBusy={pause.isBusy} onClick={() => pause.run(name)}>
                      Pause
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </LoadedContent>
    </Section>
  )
}
