// List of the mails that a local start caught instead of sending them.
import { useState } from 'preact/hooks'
import { sizeOf, Time } from '../../parts/bits.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction, useSettled } from '../../use.ts'
import { Caught, useCaught } from './caught.tsx'

const size = 25

/** Text that is shown if mail is really sent. */
export const elsewhere =
  'Mail goes out to an SMTP server here, so that there is none to be seen. A local start without SMTP_HOST catches it instead.'

/** The newest mails are first. */
export function Mails({ query }: { query: URLSearchParams }) {
  const [typed, setTyped] = useState({ to: query.get('to') ?? '', subject: query.get('subject') ?? '' })
  const { to, subject } = useSettled(typed)
  const offset = Number(query.get('offset')) || 0
  const mails = useCaught(
    (signal) => {
      const filter = { ...(to && { to }), ...(subject && { subject }) }
      return q().email.post('/messages', { ...filter, limit: size, offset, count: true }, { signal })
    },
    [to, subject, offset],
    { every: 5_000 },
  )
  const forget = useAction(() => q().email.delete('/messages'), {
    done: 'All caught mails are forgotten.',
    after: mails.reload,
  })
  const type = (part: Partial<typeof typed>) => {
    setTyped({ ...typed, ...part })
    if (offset > 0) go(['messages', 'mail'])
  }
  return (
    <>
      {!mails.isElsewhere && (
        <div class="fields inline">
          <Typed label="To" value={typed.to} onInput={(to) => type({ to })} />
          <Typed label="Subject" value={typed.subject} onInput={(subject) => type({ subject })} />
        </div>
      )}
      <Caught of={mails} elsewhere={elsewhere}>
        {({ messages: rows, nb_results }) => (
          <>
            <Table
              label="Caught mails"
              rows={rows}
              keyOf={({ id }) => id}
              empty={
                to || subject
                  ? 'There is no such mail.'
                  : 'No mail was caught yet. Whatever is sent by email on a local start stands here.'
              }
              columns={[
                { title: 'To', of: ({ envelope }) => envelope.to.join(', ') },
                {
                  title: 'Subject',
                  of: ({ id, subject }) => <a href={hrefOf(['messages', 'mail', id])}>{subject || 'No subject'}</a>,
                },
                { title: 'Attachments', isFigure: true, of: ({ attachments }) => attachments.length || '–' },
                { title: 'Size', isFigure: true, of: ({ size }) => sizeOf(size) },
                { title: 'At', of: ({ created_at }) => <Time of={created_at} /> },
              ]}
            />
            <Pager
              offset={offset}
              size={size}
              total={nb_results ?? rows.length}
              onTurn={(offset) => go(['messages', 'mail'], { to, subject, offset: offset ? `${offset}` : '' })}
            />
            {rows.length > 0 && (
              <p>
                <ConfirmButton
                  question="All mails that were caught are gone then, not only those that are shown."
                  isBusy={forget.isBusy}
                  onConfirm={forget.run}
                >
                  Forget all mails
                </ConfirmButton>
              </p>
            )}
          </>
        )}
      </Caught>
    </>
  )
}
