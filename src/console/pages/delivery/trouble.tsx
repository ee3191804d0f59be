import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useData } from '../../use.ts'
import { type Delivery, isLive } from './states.ts'

const reasons: Record<string, string> = {
  unreachable: 'it could not be reached',
  timeout: 'it did not answer in time',
  address_refused: 'it is not public',
  query_too_long: 'the filters are too long for it',
  not_json: 'its answer is no JSON',
  no_content: 'its answer has no array "content"',
  not_objects: 'the recipients in its answer are no objects',
  answer_too_large: 'its answer is too large',
  too_many_recipients: 'its answer has more than 10,000 recipients',
  interrupted: 'it was cut off',
  ledger_full: 'the delivery has more recipients than it can keep',
}

/** What the reason of a piece says of the address that was asked. */
export const troubleOf = (reason: string) =>
  reasons[reason] ?? (reason.startsWith('http_') ? `it answered with ${reason.slice(5)}` : reason)

/** Says why recipients could not be had, where that is so: a delivery without them stands still. */
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
        The address of the recipients did not give those of {piece.min} to {piece.max}: {troubleOf(piece.reason)}.{' '}
        {piece.state === 'failed' ? 'It was asked five times.' : 'It is asked again.'}
      </p>
      <a href={hrefOf(['delivery', `${id}`, 'pieces'])}>All pieces</a>
    </div>
  )
}
