// Two forms: one sends an SMS, the other sends a mail.
import { useState } from 'preact/hooks'
import type { Params, Reply } from '#client/index'
import { State } from '../../parts/bits.tsx'
import { asParams, Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'

type NewSms = Params<'sms', 'post', '/sms'>
type NewMail = Params<'email', 'post', '/smtp'>

/** Sends an SMS and shows the result for each phone. */
export function SendSms() {
  const [sent, setSent] = useState<Reply<'sms', 'post', '/sms'>['messages']>()
  const send = useAction((given: NewSms) => q().sms.post('/sms', given), {
    done: 'The SMS is sent.',
    after: ({ messages }) => setSent(messages),
  })
  return (
    <Section title="An SMS">
      <Form
        fields={[
          { name: 'phones', label: 'Phones', isRequired: true, help: 'With their country codes, separated by commas' },
          { name: 'message', label: 'Message', kind: 'area', isRequired: true },
          { name: 'force', label: 'Also to phones on the blacklist', kind: 'check' },
        ]}
        submit="Send the SMS"
        onSubmit={(values) => send.run(asParams<NewSms>(values))}
        isBusy={send.isBusy}
        error={send.error}
      />
      {sent && (
        <div role="status">
          <Table
            label="What became of the SMS"
            rows={sent}
            keyOf={({ id }) => id}
            empty=""
            columns={[
              { title: 'Phone', of: ({ phone }) => phone },
              { title: 'State', of: ({ state }) => <State of={state} /> },
              { title: 'Reason', of: ({ reason }) => reason ?? '–' },
            ]}
          />
        </div>
      )}
    </Section>
  )
}

/** Sends a mail. */
export function SendMail() {
  const send = useAction((given: NewMail) => q().email.post('/smtp', given), {
    done: ({ rejected }) =>
      rejected.length === 0 ? 'The mail is sent.' : `The mail is sent, save to ${rejected.join(', ')}.`,
  })
  return (
    <Section title="A mail">
      <Form
        fields={[
          { name: 'to', label: 'To', isRequired: true, help: 'Addresses, separated by commas' },
          { name: 'subject', label: 'Subject', isRequired: true },
          { name: 'text', label: 'Text', kind: 'area' },
          { name: 'html', label: 'HTML', kind: 'area', help: 'This, the text or both' },
        ]}
        submit="Send the mail"
        onSubmit={(values) => send.run(asParams<NewMail>(values))}
        isBusy={send.isBusy}
        error={send.error}
      />
    </Section>
  )
}
