import { useId } from 'preact/hooks'
import { Json } from '../../parts/bits.tsx'
import { Typed } from '../../parts/typed.tsx'
import { objectIn } from '../messages/texts.ts'
import { mostExamples } from './example.ts'

/** Whom a delivery is for, as it is typed. */
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

/** Asks where the recipients come from: a few that are typed here, or an address that names them. */
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
      <legend>Who gets it</legend>
      <div class="actions">
        {choice('example', 'Try it with example recipients')}
        {choice('url', 'Recipients from my own address')}
      </div>
      {audience.from === 'example' ? (
        <Typed
          label="Recipients"
          kind="area"
          rows={5}
          value={audience.lines}
          onInput={(lines) => onChange({ ...audience, lines })}
          help={`One a line: email or phone, name, locale. For the feed: collection/recipient, name, locale. At most ${mostExamples}, in one page: the catcher answers with them, to whoever knows their random address, until a week without a call has passed. For trying out.`}
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
        label="Address that names the recipients"
        kind="url"
        value={audience.data_url}
        onInput={(data_url) => onChange({ ...audience, data_url })}
        placeholder="https://example.com/recipients"
        isRequired
        wrong={errors.data_url}
      />
      <div class="fields inline">
        {field('min', 'From', 'Such as the lowest id')}
        {field('max', 'To', 'Such as the highest id')}
        {field('gap', 'Numbers a piece', 'It is asked once for each piece')}
      </div>
      <Typed
        label="Filters"
        kind="area"
        rows={2}
        value={audience.filters}
        onInput={(filters) => onChange({ ...audience, filters })}
        help="A JSON object that your address is sent with each request, such as who is meant"
        wrong={errors.filters}
      />
      <p>For each piece your address is asked by GET, with this as its JSON body:</p>
      <Json of={exampleOf(audience)} label="What your address is asked" />
      <p>It answers with those of the recipients who are in this piece; an empty list is fine:</p>
      <Json of={answer} label="What it answers" />
      <p class="quiet">
        A recipient is reached by what it has: email, phone, or both feed_collection and feed_recipient. All its fields
        can be used in the texts. A page has at most 10,000 recipients.
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
