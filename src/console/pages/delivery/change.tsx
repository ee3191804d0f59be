import { useState } from 'preact/hooks'
import { say } from '../../parts/notice.tsx'
import { Typed } from '../../parts/typed.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { ContentEditor } from '../messages/editor.tsx'
import { byField, contentOf, errorsOf, filledOf } from '../messages/texts.ts'
import type { Delivery } from './states.ts'

/** Form that changes name, texts, channels and rate of a delivery. */
export function ChangeDelivery({ delivery, onChange }: { delivery: Delivery; onChange: () => void }) {
  const [content, setContent] = useState(() => contentOf(delivery))
  const [locale, setLocale] = useState(content.locales[0]!)
  const [name, setName] = useState(delivery.name)
  const [speed, setSpeed] = useState(delivery.max_per_second === null ? '' : `${delivery.max_per_second}`)
  const change = useAction(
    () => {
      const { id, min, max, gap } = delivery
      const { email: has_email, sms: has_sms, feed: has_feed } = content.has
      const texts = byField((field) => filledOf(content, field))
      const changes = { has_email, has_sms, has_feed, ...texts, max_per_second: Number(speed) }
      return q().delivery.patch('/delivery', { id, min, max, gap, name: name.trim(), ...changes })
    },
    { done: 'Delivery changed.', after: onChange },
  )
  const errors = errorsOf(change.error)
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault()
        void change.run()
      }}
    >
      <p>The changes apply to messages that are still to be sent.</p>
      <Typed label="Name" value={name} onInput={setName} wrong={errors.name} />
      <ContentEditor content={content} onChange={setContent} locale={locale} onLocale={setLocale} errors={errors} />
      <Typed
        label="Messages per second"
        kind="number"
        value={speed}
        onInput={setSpeed}
        help="Maximum of all channels together. Empty: no limit"
        wrong={errors.max_per_second}
      />
      {change.error !== undefined && (
        <p class="wrong" role="alert">
          {say(change.error)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={change.isBusy} aria-busy={change.isBusy}>
          Save changes
        </button>
      </div>
    </form>
  )
}
