import { useState } from 'preact/hooks'
import { type Params, QuartermasterError, type Reply } from '#client/index'
import { State } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { channels } from '../messages/texts.ts'
import type { TemplateDraft } from './draft.ts'

type Outcomes = Reply<'notification', 'post', '/notify'>['channels']

interface SendProps {
  template: TemplateDraft
  locale: string
  payload: Record<string, unknown> | undefined
  /** Whether what is sent is not what is seen. */
  isChanged: boolean
}

/** Sends a template to somebody, and says what became of it by channel. */
export function SendTemplate({ template, locale, payload, isChanged }: SendProps) {
  const [outcomes, setOutcomes] = useState<Outcomes>()
  const send = useAction(
    async (values: FormValues) => {
      setOutcomes(undefined)
      const targets = asParams<Omit<Params<'notification', 'post', '/notify'>, 'notification' | 'locale'>>(values)
      const given = { ...targets, notification: template.code, locale, ...(payload && { payload }) }
      try {
        const { channels } = await q().notification.post('/notify', given)
        setOutcomes(channels)
      } catch (error) {
        // A refusal says by channel what was queued, where anything was.
        if (error instanceof QuartermasterError && error.content?.channels)
          setOutcomes(error.content.channels as Outcomes)
        throw error
      }
    },
    { done: 'The queue has what is to be sent.' },
  )
  return (
    <Section title="Send it">
      <p class="quiet">
        In {locale || 'any language'}, with the values above{isChanged && ', as it was saved last'}. The channels whose
        target is given get it.
      </p>
      <Form
        fields={[
          ...(template.has_email ? [{ name: 'email', label: 'Send to the email address' }] : []),
          ...(template.has_sms ? [{ name: 'phone', label: 'Send to the phone' }] : []),
          ...(template.has_feed
            ? [
                { name: 'feed_collection', label: 'Collection of the feed' },
                { name: 'feed_recipient', label: 'Recipient in it' },
              ]
            : []),
        ]}
        submit="Send"
        keeps
        onSubmit={send.run}
        isBusy={send.isBusy}
        error={send.error}
      />
      {outcomes && (
        <div role="status">
          <Table
            label="What became of it"
            rows={[...channels]}
            keyOf={(channel) => channel}
            empty=""
            columns={[
              { title: 'Channel', of: (channel) => channel },
              { title: 'State', of: (channel) => <State of={outcomes[channel].state} /> },
              { title: 'Reason', of: (channel) => reasons[outcomes[channel].reason ?? ''] ?? '–' },
            ]}
          />
        </div>
      )}
    </Section>
  )
}

const reasons: Record<string, string> = {
  disabled: 'the template does not go out there',
  no_target: 'nobody is named',
  empty: 'the text comes out blank',
}
