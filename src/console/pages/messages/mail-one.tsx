import { useState } from 'preact/hooks'
import { Button, Json, sizeOf, Time } from '../../parts/bits.tsx'
import { Html } from '../../parts/html.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { Caught, useCaught } from './caught.tsx'
import { elsewhere } from './mail.tsx'

/** A mail as the recipient sees it, and its source. */
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

/** The source of a mail, loaded on demand. Only the beginning of a long one is shown. */
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
      <Json of={raw.length > maxRawLength ? `${raw.slice(0, maxRawLength)}…` : raw} label="The mail as it came" />
    </>
  )
}

const maxRawLength = 100_000
