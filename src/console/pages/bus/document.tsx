// Dialog with a document of the bus, its delivery state and the answer of its handler.
import { Button, Json, State, Time } from '../../parts/bits.tsx'
import { ConfirmButton, Dialog } from '../../parts/dialog.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { Attempts, Deliveries } from './attempts.tsx'

interface DocumentProps {
  collection: string
  id: number
  onClose: () => void
  /** Runs after the document was replayed or deleted. */
  after: () => void
}

/** The dialog with one document. It offers a replay if the document has a webhook, since the API refuses to replay others. */
export function Document({ collection, id, onClose, after }: DocumentProps) {
  const found = useData((signal) => q().bus.get('/document', { collection, id }, { signal }), [collection, id], {
    every: 3_000,
  })
  const replay = useAction(() => q().bus.post('/document/replay', { collection, id }), {
    done: 'Document replayed.',
    after: () => {
      found.reload()
      after()
    },
  })
  const remove = useAction(() => q().bus.delete('/document', { collection, id }), {
    done: 'Document deleted.',
    after: () => {
      after()
      onClose()
    },
  })
  return (
    <Dialog title={`Document ${id}`} onClose={onClose}>
      <LoadedContent of={found}>
        {({ document: { data, response, subscriptions, ...is } }) => (
          <>
            <Facts
              of={{
                State: <State of={is.state ?? 'stored'} />,
                Event: is.event,
                UUID: is.uuid,
                Sent: <Time of={is.created_at} />,
                Attempts: is.attempts,
                Answered: <Time of={is.answered_at} />,
                'Handler status': response?.status_code,
                Webhook: is.webhook,
                'Webhook attempts': is.webhook && is.webhook_attempts,
                'Webhook status': is.webhook_status,
                Delivered: is.webhook && <Time of={is.delivered_at} />,
                'Next attempt': is.next_at && <Time of={is.next_at} />,
              }}
            />
            <h3>Data</h3>
            <Json of={data} label="Data" />
            {response && (
              <>
                <h3>Answer of the handler</h3>
                <Json of={response.body} label="Answer of the handler" />
              </>
            )}
            {subscriptions.length > 0 && (
              <>
                <h3>Subscribers</h3>
                <Deliveries of={subscriptions} />
              </>
            )}
            {(is.state || subscriptions.length > 0) && (
              <>
                <h3>Attempts</h3>
                <Attempts collection={collection} id={id} />
              </>
            )}
            <div class="actions">
              {is.state && is.webhook && (
                <Button isBusy={replay.isBusy} onClick={replay.run}>
                  Replay
                </Button>
              )}
              <ConfirmButton
                label={`Delete document ${id}`}
                question={`This permanently deletes document ${id} with its attempts.`}
                isBusy={remove.isBusy}
                onConfirm={remove.run}
              >
                Delete
              </ConfirmButton>
            </div>
          </>
        )}
      </LoadedContent>
    </Dialog>
  )
}
