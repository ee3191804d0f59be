import { useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Json } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

type Sent = Reply<'bus', 'post', '/document'>

interface Given {
  event: string
  uuid: string
  data: unknown
}

/** Sends a document to a collection, under a UUID that is another one each time. */
export function SendDocument({ collection }: { collection: string }) {
  const [uuid, setUuid] = useState(newUuid)
  const [sent, setSent] = useState<Sent>()
  const send = useAction(
    (values: FormValues) => q().bus.post('/document', { ...asParams<Given>(values), collection }),
    {
      done: 'The document is sent.',
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
            { name: 'uuid', label: 'UUID', isRequired: true, value: uuid, help: 'A repeat with it changes nothing' },
            { name: 'data', label: 'Data, as JSON', kind: 'json', isRequired: true },
            { name: 'webhook', label: 'Webhook', kind: 'url', help: 'Gets the result of an async document' },
          ]}
          submit="Send"
          onSubmit={send.run}
          isBusy={send.isBusy}
          error={send.error}
        />
      </Section>
      {sent && (
        <Section title="What came of it">
          <Facts
            of={{
              Document: sent.document.id,
              UUID: sent.document.uuid,
              'Answer of the handler': sent.response?.status_code,
            }}
          />
          {sent.response && <Json of={sent.response.body} label="What the handler has answered" />}
        </Section>
      )}
    </div>
  )
}

/** A random UUID (RFC 9562, version 4); not `randomUUID`, which pages without TLS have not. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}
