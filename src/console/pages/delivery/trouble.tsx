// Explains on the pages of a delivery why recipients could not be fetched from its `data_url`.
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { type Delivery, isLive } from './states.ts'

const reasons: Record<string, string> = {
  unreachable: 'the URL could not be reached',
  timeout: 'no reply in time',
  address_refused: 'the URL is not public',
  query_too_long: 'the filters are too long for the query',
  not_json: 'the reply is not JSON',
  no_content: 'the reply has no array "content"',
  not_objects: 'the recipients in the reply are not objects',
  answer_too_large: 'the reply is too large',
  too_many_recipients: 'the reply has more than 10,000 recipients',
  interrupted: 'the request was interrupted',
  ledger_full: 'the ledger of the delivery is full',
}

/** The reason of a failed piece as text. */
export const troubleOf = (reason: string) =>
  reasons[reason] ?? (reason.startsWith('http_') ? `the URL replied with ${reason.slice(5)}` : reason)

/** Shows the reason of one piece. */
export function Trouble({ delivery }: { delivery: Delivery }) {
  const { id } = delivery
  const pieces = useData(
    async (signal) => {
      const [{ pieces: waiting }, { pieces: failed }] = await Promise.all([
        q().delivery.get('/delivery/pieces', { id, state: 'waiting', limit: 1 }, { signal }),
        q().delivery.get('/delivery/pieces', { id, state: 'failed', limit: 1 }, { signal }),
      ])
      return waiting[0] ?? failed[0]
    },
    [id, delivery.report.pieces.failed],
    isLive(delivery) ? { every: 3_000 } : {},
  )
  const { data: piece } = pieces
  if (!piece?.reason) return null
  return (
    <div class="failure">
      <p>
        The recipients of {piece.min} to {piece.max} could not be fetched: {troubleOf(piece.reason)}.{' '}
        {piece.state === 'failed' ? 'There were five attempts.' : 'The request is repeated.'}
      </p>
      <a href={hrefOf(['delivery', `${id}`, 'pieces'])}>All pieces</a>
    </div>
  )
}
