import { useState } from 'preact/hooks'
import { say } from '../../parts/notice.tsx'
import { Typed } from '../../parts/typed.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { ContentEditor } from '../messages/editor.tsx'
import { byField, contentOf, errorsOf, filledOf } from '../messages/texts.ts'
import type { Delivery } from './states.ts'

/** Changes what is still to be sent: name, texts, channels and speed. */
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
    { done: 'What is sent from now on is as you have changed it.', after: onChange },
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
      <p>What is sent already stays as it is; what is sent from now on has these texts.</p>
      <Typed label="Name" value={name} onInput={setName} wrong={errors.name} />
      <ContentEditor content={content} onChange={setContent} locale={locale} onLocale={setLocale} errors={errors} />
      <Typed
        label="Messages a second"
        kind="number"
        value={speed}
        onInput={setSpeed}
        help="At most, of all channels together; as fast as it goes where it is empty"
        wrong={errors.max_per_second}
      />
      {change.error !== undefined && (
        <p class="wrong" role="alert">
          {say(change.error)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={change.isBusy} aria-busy={change.isBusy}>
          Change what is still to be sent
        </button>
      </div>
    </form>
  )
}
