import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'

interface DocumentProps {
  collection: string
  id: number
  onClose: () => void
  /** Runs when it was put on its way again. */
  after: () => void
}

/** A document in full, with how far it is; one that goes to a webhook can be delivered again. */
export function Document({ collection, id, onClose, after }: DocumentProps) {
  const found = useData((signal) => q().bus.get('/document', { collection, id }, { signal }), [collection, id], {
    every: 3_000,
  })
  const replay = useAction(() => q().bus.post('/document/replay', { collection, id }), {
    done: 'The document is on its way again.',
    after: () => {
      found.reload()
      after()
    },
  })
  return (
    <Dialog title={`Document ${id}`} onClose={onClose}>
      <Shown of={found}>
        {({ document: { data, response, ...is } }) => (
          <>
            <Facts
              of={{
                State: <State of={is.state ?? 'kept'} />,
                Event: is.event,
                UUID: is.uuid,
                Sent: <Time of={is.created_at} />,
                Attempts: is.attempts,
                Answered: <Time of={is.answered_at} />,
                'Answer of the handler': response?.status_code,
                Webhook: is.webhook,
                'Attempts of the webhook': is.webhook && is.webhook_attempts,
                'Answer of the webhook': is.webhook_status,
                Delivered: is.webhook && <Time of={is.delivered_at} />,
                'Next step': is.next_at && <Time of={is.next_at} />,
              }}
            />
            <h3>Data</h3>
            <Json of={data} label="Data" />
            {response && (
              <>
                <h3>What the handler has answered</h3>
                <Json of={response.body} label="What the handler has answered" />
              </>
            )}
            {is.state && is.webhook && (
              <div class="actions">
                <Button isBusy={replay.isBusy} onClick={replay.run}>
                  Deliver again
                </Button>
              </div>
            )}
          </>
        )}
      </Shown>
    </Dialog>
  )
}
