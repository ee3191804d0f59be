import { useState } from 'preact/hooks'
import { Button, Progress, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { LoadedContent, Page } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { go, hrefOf } from '../../route.ts'
import { isRefusal, q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { ChangeDelivery } from './change.tsx'
import { CopyButton } from './copy.tsx'
import { Definition } from './definition.tsx'
import { Failures } from './failures.tsx'
import { Pieces } from './pieces.tsx'
import { ReportTable } from './report.tsx'
import { type Delivery, isLive, stateOf, totalsOf } from './states.ts'
import { Trouble } from './trouble.tsx'

const parts = { report: 'Report', pieces: 'Pieces', failures: 'Failures', definition: 'Definition', change: 'Change' }
type Part = keyof typeof parts
const isPart = (name: string): name is Part => name in parts

/** A delivery: progress, report, and actions. */
export function OneDelivery({ id, part, query }: { id: number; part: string; query: URLSearchParams }) {
  const [isFollowed, setFollowed] = useState(true)
  const loaded = useData(
    async (signal) => {
      try {
        const { delivery } = await q().delivery.get('/delivery', { id }, { signal })
        setFollowed(isLive(delivery))
        return delivery
      } catch (error) {
        // Polling stops if the delivery does not exist.
        if (isRefusal(error)) setFollowed(false)
        throw error
      }
    },
    [id],
    isFollowed ? { every: 1_000 } : {},
  )
  const { data } = loaded
  const chosen = isPart(part) ? part : 'report'
  const address = ['delivery', `${id}`]
  const shown = Object.entries(parts).filter(([name]) => name !== 'change' || data?.status === 'started')
  return (
    <Page
      title={data ? `Delivery: ${data.name || id}` : 'Delivery'}
      actions={data && <Actions delivery={data} onChange={loaded.reload} />}
    >
      <p>
        <a href={hrefOf(['delivery'])}>All deliveries</a>
      </p>
      <LoadedContent of={loaded}>
        {(delivery) => (
          <>
            <Overall delivery={delivery} />
            <Trouble delivery={delivery} />
            <Tabs
              label="Delivery"
              tabs={Object.fromEntries(
                shown.map(([name, title]) => [title, hrefOf(name === 'report' ? address : [...address, name])]),
              )}
              current={parts[chosen]}
            />
            {chosen === 'report' && <ReportTable delivery={delivery} />}
            {chosen === 'pieces' && <Pieces delivery={delivery} />}
            {chosen === 'failures' && <Failures delivery={delivery} query={query} />}
            {chosen === 'definition' && <Definition delivery={delivery} />}
            {chosen === 'change' && <ChangeDelivery delivery={delivery} onChange={loaded.reload} />}
          </>
        )}
      </LoadedContent>
    </Page>
  )
}

function Overall({ delivery }: { delivery: Delivery }) {
  const { progress, report, created_at, updated_at, max_per_second, held } = delivery
  const { pieces, recipients } = report
  return (
    <Facts
      of={{
        State: (
          <span role="status">
            <State of={stateOf(delivery)} />
          </span>
        ),
        ...(held && { Waiting: <Waiting delivery={delivery} /> }),
        Progress: <Progress of={progress} label="Progress of the delivery" />,
        Pieces: `${pieces.processed} of ${pieces.total} processed${pieces.failed > 0 ? `, ${pieces.failed} failed` : ''}`,
        Recipients: isLive(delivery) ? `${recipients} so far` : recipients,
        Speed: max_per_second === null ? 'as fast as it goes' : `at most ${max_per_second} a second`,
        Started: <Time of={created_at} />,
        Changed: <Time of={updated_at} />,
      }}
    />
  )
}

const holds: Record<string, string> = {
  data_url_unavailable: 'the URL of the recipients is down',
  outlet_open: 'the mail server, the SMS provider or the feed does not accept messages',
  quota: 'the mail server or the SMS provider is throttled or out of quota',
}

function Waiting({ delivery: { held_reason, next_attempt_at } }: { delivery: Delivery }) {
  return (
    <>
      {holds[held_reason ?? ''] ?? held_reason}
      {next_attempt_at && (
        <>
          . Next attempt: <Time of={next_attempt_at} />
        </>
      )}
    </>
  )
}

function Actions({ delivery, onChange }: { delivery: Delivery; onChange: () => void }) {
  const { id, status, paused, held, report } = delivery
  const { failed, unknown } = totalsOf(report)
  const retry = useAction(() => q().delivery.post('/delivery/retry', { id, states: ['failed', 'unknown'] }), {
    done: 'Delivery reopened.',
    after: onChange,
  })
  const pause = useAction(() => q().delivery.post('/delivery/pause', { id }), {
    done: 'Delivery paused.',
    after: onChange,
  })
  const resume = useAction(() => q().delivery.post('/delivery/resume', { id }), {
    done: 'Delivery resumed.',
    after: onChange,
  })
  const cancel = useAction(() => q().delivery.post('/delivery/cancel', { id }), {
    done: 'Delivery canceled.',
    after: onChange,
  })
  const remove = useAction(() => q().delivery.delete('/delivery', { id }), {
    done: 'Delivery deleted.',
    after: () => go(['delivery']),
  })
  return (
    <>
      {status === 'started' && !paused && (
        <Button isBusy={pause.isBusy} onClick={pause.run}>
          Pause
        </Button>
      )}
      {status === 'started' && (paused || held) && (
        <Button isBusy={resume.isBusy} onClick={resume.run}>
          {paused ? 'Resume' : 'Try now'}
        </Button>
      )}
      {status === 'finished' && failed + unknown + report.pieces.failed > 0 && (
        <ConfirmButton
          question="Messages that failed are sent again, and failed pieces are fetched again. Unknown messages are sent only if they certainly were not sent before."
          isBusy={retry.isBusy}
          onConfirm={retry.run}
        >
          Retry
        </ConfirmButton>
      )}
      {status === 'started' && (
        <ConfirmButton
          question="No further message is sent. A canceled delivery cannot be resumed."
          isBusy={cancel.isBusy}
          onConfirm={cancel.run}
        >
          Cancel
        </ConfirmButton>
      )}
      <CopyButton delivery={delivery} />
      <ConfirmButton
        question="This cancels the delivery and deletes it with its report permanently. Sent messages are not recalled."
        isBusy={remove.isBusy}
        onConfirm={remove.run}
      >
        Delete
      </ConfirmButton>
    </>
  )
}
