// Part of the form of a new delivery that selects the recipients: examples, or the user's own URL.
import { useId } from 'preact/hooks'
import { Json } from '../../parts/bits.tsx'
import { Typed } from '../../parts/typed.tsx'
import { objectIn } from '../messages/texts.ts'
import { maxExamples } from './example.ts'

/** The source of the recipients, as entered in the form. */
export interface RecipientSource {
  from: 'example' | 'url'
  lines: string
  data_url: string
  filters: string
  min: string
  max: string
  gap: string
}

interface AudienceProps {
  audience: RecipientSource
  onChange: (audience: RecipientSource) => void
  errors: Record<string, string>
}

/** The fields of the form. */
export function AudienceEditor({ audience, onChange, errors }: AudienceProps) {
  const name = useId()
  const choice = (from: RecipientSource['from'], label: string) => (
    <label>
      <input
        type="radio"
        name={name}
        checked={audience.from === from}
        onChange={() => onChange({ ...audience, from })}
      />{' '}
      {label}
    </label>
  )
  return (
    <fieldset class="channel">
      <legend>Recipients</legend>
      <div class="actions">
        {choice('example', 'Try it with example recipients')}
        {choice('url', 'Recipients from my URL')}
      </div>
      {audience.from === 'example' ? (
        <Typed
          label="Recipients"
          kind="area"
          rows={5}
          value={audience.lines}
          onInput={(lines) => onChange({ ...audience, lines })}
          help={`One per line: email or phone, name, locale. For the feed: collection/recipient, name, locale. At most ${maxExamples}. The catcher serves them at a random URL, readable for anyone who has it, until a week without a call has passed. Only for tests.`}
          wrong={errors.lines ?? errors.data_url}
        />
      ) : (
        <Own audience={audience} onChange={onChange} errors={errors} />
      )}
    </fieldset>
  )
}

function Own({ audience, onChange, errors }: AudienceProps) {
  const field = (name: 'min' | 'max' | 'gap', label: string, help: string) => (
    <Typed
      label={label}
      kind="number"
      value={audience[name]}
      onInput={(text) => onChange({ ...audience, [name]: text })}
      help={help}
      wrong={errors[name]}
    />
  )
  return (
    <>
      <Typed
        label="URL of the recipients"
        kind="url"
        value={audience.data_url}
        onInput={(data_url) => onChange({ ...audience, data_url })}
        placeholder="https://example.com/recipients"
        isRequired
        wrong={errors.data_url}
      />
      <div class="fields inline">
        {field('min', 'From', 'For example the lowest id')}
        {field('max', 'To', 'For example the highest id')}
        {field('gap', 'Numbers per piece', 'The URL is called once per piece')}
      </div>
      <Typed
        label="Filters"
        kind="area"
        rows={2}
        value={audience.filters}
        onInput={(filters) => onChange({ ...audience, filters })}
        help="JSON object that is sent to your URL with each request"
        wrong={errors.filters}
      />
      <p>Your URL gets a GET request per piece with this JSON body:</p>
      <Json of={exampleOf(audience)} label="Request to your URL" />
      <p>It replies with the recipients of the piece. An empty list is valid:</p>
      <Json of={answer} label="Reply of your URL" />
      <p class="quiet">
        A recipient needs email, phone, or both feed_collection and feed_recipient. All fields are variables of the
        texts. A page has at most 10,000 recipients.
      </p>
    </>
  )
}

const answer = `{"content": [
  {"locale": "en", "email": "ann@example.com", "phone": "77011234567", "name": "Ann"},
  {"locale": "kk", "feed_collection": "news", "feed_recipient": "bob", "name": "Bob"}
]}`

function exampleOf({ filters, min, max, gap }: RecipientSource): string {
  const first = Number(min)
  const last = Math.min(Number(max), first + Number(gap) - 1)
  const own = objectIn(filters)
  return JSON.stringify({ ...own, _min: first, _max: last, _gap: Number(gap) })
}
