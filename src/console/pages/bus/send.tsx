import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Json } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

type DocumentReply = Reply<'bus', 'post', '/document'>

interface DocumentParams {
  event: string
  uuid: string
  data: unknown
}

/** Tab of the console's bus page: the form that sends a document to a collection, with a new UUID (the idempotency key) each time. */
export function SendDocument({ collection }: { collection: string }) {
  const [uuid, setUuid] = useState(newUuid)
  const [sent, setSent] = useState<DocumentReply>()
  const send = useAction(
    (values: FormValues) => q().bus.post('/document', { ...asParams<DocumentParams>(values), collection }),
    {
      done: 'Document sent.',
      after: (result) => {
        setSent(result)
        setUuid(newUuid())
      },
    },
  )
  return (
    <div class="split">
      <Section title="New document" actions={<a href={hrefOf(['bus', 'collections', collection])}>Documents</a>}>
        <Form
          key={uuid}
          fields={[
            { name: 'event', label: 'Event', isRequired: true, help: 'Event, subservice or subcollection' },
            {
              name: 'uuid',
              label: 'UUID',
              isRequired: true,
              value: uuid,
              help: 'Idempotency key: a repeat changes nothing',
            },
            { name: 'data', label: 'JSON data', kind: 'json', isRequired: true },
            {
              name: 'webhook',
              label: 'Webhook',
              kind: 'url',
              help: 'Gets the answer of the handler; required for async',
            },
          ]}
          submit="Send"
          onSubmit={send.run}
          isBusy={send.isBusy}
          error={send.error}
        />
      </Section>
      {sent && (
        <Section title="Result">
          <Facts
            of={{
              Document: sent.document.id,
              UUID: sent.document.uuid,
              'Handler status': sent.response?.status_code,
            }}
          />
          {sent.response && <Json of={sent.response.body} label="Answer of the handler" />}
        </Section>
      )}
    </div>
  )
}

/** A random UUID (RFC 9562, version 4). Not from `crypto.randomUUID`, which browsers offer only on pages with TLS. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}
