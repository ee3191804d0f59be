import { useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useData, useSettled } from '../../use.ts'
import { Long } from './long.tsx'
import { errorsOf } from './texts.ts'

type SmsState = NonNullable<Params<'sms', 'post', '/messages'>['state']>
const states: SmsState[] = [
  ...(['queued', 'sending', 'sent', 'delivered', 'undelivered', 'expired'] as const),
  ...(['rejected', 'unknown', 'failed', 'blacklisted'] as const),
]

const size = 50

/** All text messages and calls, newest first. Their texts are available only on a local start. */
export function SmsMessages({ query }: { query: URLSearchParams }) {
  const [typed, setTyped] = useState(query.get('phone') ?? '')
  // The API finds complete numbers only, so that shorter input is not sent.
  const settled = useSettled(typed.trim())
  const phone = settled.replace(/\D/g, '').length < 7 ? '' : settled
  const state = states.find((state) => state === query.get('state'))
  const offset = Number(query.get('offset')) || 0
  const messages = useData(
    (signal) => {
      const filter = { ...(phone && { phone }), ...(state && { state }) }
      return q().sms.post('/messages', { ...filter, limit: size, offset, count: true }, { signal })
    },
    [phone, state, offset],
    { every: 5_000 },
  )
  const turn = (query: { state?: string | undefined; offset?: string }) => go(['messages', 'sms'], { phone, ...query })
  return (
    <>
      <div class="fields inline">
        <Typed
          label="Phone"
          value={typed}
          placeholder="The whole number"
          wrong={errorsOf(messages.error).phone}
          onInput={(phone) => {
            setTyped(phone)
            if (offset > 0) turn({ state })
          }}
        />
        <div class="field">
          <label for="sms-state">State</label>
          <select
            id="sms-state"
            value={state ?? ''}
            onChange={({ currentTarget }) => turn({ state: currentTarget.value })}
          >
            <option value="">any</option>
            {states.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </div>
      </div>
      <LoadedContent of={messages}>
        {({ messages: rows, nb_results }) => (
          <>
            <Table
              label="SMS and calls"
              rows={rows}
              keyOf={({ id }) => id}
              empty={
                phone || state
                  ? 'There is no such message.'
                  : 'There is no message yet. Under Send one can be sent; on a local start it goes nowhere.'
              }
              columns={[
                { title: 'Phone', of: ({ phone }) => phone },
                { title: 'Kind', of: ({ kind }) => kind },
                { title: 'State', of: ({ state }) => <State of={state} /> },
                { title: 'Reason', of: ({ reason }) => reason ?? '–' },
                { title: 'Text', of: ({ text }) => (text ? <Long of={text} /> : <span class="quiet">not kept</span>) },
                { title: 'Segments', isFigure: true, of: ({ segments }) => segments ?? '–' },
                { title: 'Provider', of: ({ provider }) => provider ?? '–' },
                { title: 'At', of: ({ created_at }) => <Time of={created_at} /> },
              ]}
            />
            <Pager
              offset={offset}
              size={size}
              total={nb_results ?? rows.length}
              onTurn={(offset) => turn({ state, offset: offset ? `${offset}` : '' })}
            />
          </>
        )}
      </LoadedContent>
    </>
  )
}
