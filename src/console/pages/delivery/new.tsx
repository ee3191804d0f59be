import { useRef, useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { say } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go, hrefOf } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { ContentEditor } from '../messages/editor.tsx'
import {
  type ContentField,
  contentOf,
  errorsOf,
  fields,
  filledOf,
  type MessageContent,
  objectIn,
} from '../messages/texts.ts'
import { type ExampleRecipient, firstLines, publishExamples, readExamples } from './example.ts'
import { AudienceEditor, type RecipientSource } from './recipients.tsx'

const noAudience: RecipientSource = {
  ...{ from: 'example', lines: firstLines, data_url: '', filters: '' },
  ...{ min: '1', max: '1000', gap: '100' },
}

const firstContent = contentOf({
  ...{ has_email: true, has_sms: true },
  email_subject: { en: 'Hello, {{ name }}' },
  email_html: { en: '<p>Hello, {{ name }}</p>' },
  sms_message: { en: 'Hello, {{ name }}' },
})

/** Form that starts a delivery. */
export function NewDelivery() {
  const [name, setName] = useState('')
  const [audience, setAudience] = useState(noAudience)
  const [content, setContent] = useState(firstContent)
  const [locale, setLocale] = useState('en')
  const [speed, setSpeed] = useState('')
  const [unread, setUnread] = useState<Record<string, string>>({})
  // A rejected form is sent again, usually with the same recipients: their URL is reused.
  const published = useRef<{ of: string; url: string }>(undefined)
  const publish = async (recipients: ExampleRecipient[]) => {
    const of = JSON.stringify(recipients)
    if (published.current?.of !== of) published.current = { of, url: await publishExamples(recipients) }
    return published.current.url
  }
  const start = useAction(
    async (recipients: Recipients) => {
      const { email: has_email, sms: has_sms, feed: has_feed } = content.has
      return q().delivery.post('/delivery', {
        ...(await recipients()),
        ...{ name: name.trim(), has_email, has_sms, has_feed, ...textsOf(content) },
        ...(speed.trim() !== '' && { max_per_second: Number(speed) }),
      })
    },
    { done: 'Delivery started.', after: ({ delivery }) => go(['delivery', `${delivery.id}`]) },
  )
  const errors = { ...errorsOf(start.error), ...unread }
  return (
    <Page title="New delivery" about="The delivery starts at once.">
      <p>
        <a href={hrefOf(['delivery'])}>All deliveries</a>
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          const { recipients, wrong } = recipientsOf(audience, publish)
          setUnread(wrong)
          if (recipients) void start.run(recipients)
        }}
      >
        <Typed label="Name" value={name} onInput={setName} isRequired help="Shown in the list" wrong={errors.name} />
        <AudienceEditor audience={audience} onChange={setAudience} errors={errors} />
        <h2>Message</h2>
        <p class="quiet">
          Each recipient gets the texts of its locale, or of the first one. Variables are in braces:{' '}
          <code>{'{{ name }}'}</code>.
        </p>
        <ContentEditor content={content} onChange={setContent} locale={locale} onLocale={setLocale} errors={errors} />
        <Typed
          label="Messages per second"
          kind="number"
          value={speed}
          onInput={setSpeed}
          help="Maximum of all channels together. Empty: no limit"
          wrong={errors.max_per_second}
        />
        {start.error !== undefined && (
          <p class="wrong" role="alert">
            {say(start.error)}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="main" disabled={start.isBusy} aria-busy={start.isBusy}>
            Start delivery
          </button>
        </div>
      </form>
    </Page>
  )
}

type DeliveryParams = Params<'delivery', 'post', '/delivery'>

/** Returns the URL and range of the recipients; publishes example recipients first. */
type Recipients = () => Promise<Pick<DeliveryParams, 'data_url' | 'filters' | 'min' | 'max' | 'gap'>>

/** The source of the recipients, or the errors of the form. */
function recipientsOf(
  audience: RecipientSource,
  publish: (recipients: ExampleRecipient[]) => Promise<string>,
): { recipients?: Recipients; wrong: Record<string, string> } {
  if (audience.from === 'example') {
    const { recipients, wrong } = readExamples(audience.lines)
    if (wrong !== undefined) return { wrong: { lines: wrong } }
    // One piece: the catcher answers each with the same page.
    const range = { filters: {}, min: 1, max: recipients.length, gap: recipients.length }
    return { recipients: async () => ({ ...range, data_url: await publish(recipients) }), wrong: {} }
  }
  const filters = objectIn(audience.filters)
  if (!filters) return { wrong: { filters: 'Must be a JSON object' } }
  const { data_url, min, max, gap } = audience
  const params = { data_url: data_url.trim(), filters, min: Number(min), max: Number(max), gap: Number(gap) }
  return { recipients: async () => params, wrong: {} }
}

/** The texts of the selected channels. */
const textsOf = (content: MessageContent): Partial<Record<ContentField, Record<string, string>>> =>
  Object.fromEntries(
    fields
      .filter((field) => content.has[field.split('_')[0] as keyof MessageContent['has']])
      .map((field) => [field, filledOf(content, field)] as const)
      .filter(([, texts]) => Object.keys(texts).length > 0),
  )
