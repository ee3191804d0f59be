import { useState } from 'preact/hooks'
import { Button, Json, sizeOf, Time } from '../parts/bits.tsx'
import { ConfirmButton } from '../parts/dialog.tsx'
import { Html } from '../parts/html.tsx'
import { Pager } from '../parts/pager.tsx'
import { Facts, Table } from '../parts/table.tsx'
import { Typed } from '../parts/typed.tsx'
import { go, hrefOf } from '../route.ts'
import { q } from '../session.ts'
import { useAction, useSettled } from '../use.ts'
import { Caught, useCaught } from './messages-caught.tsx'

const size = 25

const elsewhere =
  'Mail goes out to an SMTP server here, so that there is none to be seen. A local start without SMTP_HOST catches it instead.'

/** The mails that a local start has caught, the newest first. */
export function Mails({ query }: { query: URLSearchParams }) {
  const [typed, setTyped] = useState({ to: query.get('to') ?? '', subject: query.get('subject') ?? '' })
  const { to, subject } = useSettled(typed)
  const offset = Number(query.get('offset')) || 0
  const mails = useCaught(
    (signal) => {
      const filter = { ...(to && { to }), ...(subject && { subject }) }
      return q().email.get('/messages', { ...filter, limit: size, offset, count: true }, { signal })
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

/** A mail as whoever got it would see it, and as it came. */
export function Mail({ id }: { id: string }) {
  const mail = useCaught(async (signal) => (await q().email.get('/message', { id }, { signal })).message, [id])
  return (
    <>
      <p>
        <a href={hrefOf(['messages', 'mail'])}>All mails</a>
      </p>
      <Caught of={mail} elsewhere={elsewhere}>
        {({ subject, from, to, cc, envelope, created_at, size, attachments, html, text, headers }) => (
          <>
            <h2>{subject || 'No subject'}</h2>
            <Facts
              of={{
                From: from,
                To: to.join(', '),
                Cc: cc.join(', '),
                'Delivered to': envelope.to.join(', '),
                At: <Time of={created_at} />,
                Size: sizeOf(size),
              }}
            />
            {html !== null && <Html of={html} title="The mail" height="24rem" />}
            {attachments.length > 0 && (
              <Table
                label="Attachments"
                rows={attachments.map((attachment, place) => ({ ...attachment, place }))}
                keyOf={({ place }) => place}
                empty=""
                columns={[
                  { title: 'Attachment', of: ({ filename }) => filename ?? 'No name' },
                  { title: 'Type', of: ({ content_type }) => content_type },
                  { title: 'Size', isFigure: true, of: ({ size }) => sizeOf(size) },
                  { title: 'Content id', of: ({ cid }) => cid ?? '–' },
                ]}
              />
            )}
            <h3>Text</h3>
            <Json of={text} label="The mail's text" />
            <details>
              <summary>Headers</summary>
              <Json of={headers} label="The mail's headers" />
            </details>
            <Raw id={id} />
          </>
        )}
      </Caught>
    </>
  )
}

/** A mail byte by byte, once it is asked for; of a long one the beginning is shown. */
function Raw({ id }: { id: string }) {
  const [raw, setRaw] = useState<string>()
  const read = useAction(
    async () => {
      const response = await q().email.get('/message/raw', { id })
      return response.text()
    },
    { after: setRaw },
  )
  if (raw === undefined)
    return (
      <p>
        <Button isBusy={read.isBusy} onClick={read.run}>
          Show it as it came
        </Button>
      </p>
    )
  return (
    <>
      <h3>As it came</h3>
      <Json of={raw.length > most ? `${raw.slice(0, most)}…` : raw} label="The mail as it came" />
    </>
  )
}

const most = 100_000
