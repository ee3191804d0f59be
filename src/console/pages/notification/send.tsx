// Form that sends a notification template to a recipient and shows the outcome by channel.
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
  /** Whether the draft has unsaved changes. */
  isChanged: boolean
}

/** Sends the last saved version of the template. */
export function SendTemplate({ template, locale, payload, isChanged }: SendProps) {
  const [outcomes, setOutcomes] = useState<Outcomes>()
  const send = useAction(
    async (values: FormValues) => {
      setOutcomes(undefined)
      const targets = asParams<Omit<Params<'notification', 'post', '/notify'>, 'notification' | 'locale'>>(values)
      const params = { ...targets, notification: template.code, locale, ...(payload && { payload }) }
      try {
        const { channels } = await q().notification.post('/notify', params)
        setOutcomes(channels)
      } catch (error) {
        // An error reply has the outcome of each channel if a message was queued.
        if (error instanceof QuartermasterError && error.content?.channels)
          setOutcomes(error.content.channels as Outcomes)
        throw error
      }
    },
    { done: 'Notification queued.' },
  )
  return (
    <Section title="Send">
      <p class="quiet">
        In {locale || 'any language'}, with the values above{isChanged && ', as last saved'}. Fill in the recipient of
        each channel to use.
      </p>
      <Form
        fields={[
          ...(template.has_email ? [{ name: 'email', label: 'Send to the email address' }] : []),
          ...(template.has_sms ? [{ name: 'phone', label: 'Send to the phone' }] : []),
          ...(template.has_feed
            ? [
                { name: 'feed_collection', label: 'Collection of the feed' },
                { name: 'feed_recipient', label: 'Recipient in the collection' },
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
            label="Result"
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
  disabled: 'the template does not use this channel',
  no_target: 'no recipient',
  empty: 'the text is blank',
}
