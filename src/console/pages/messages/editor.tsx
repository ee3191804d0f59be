// Editor of the texts of a message by channel and language, for templates and deliveries.
import { useId, useState } from 'preact/hooks'
import { Button } from '../../parts/bits.tsx'
import { Typed } from '../../parts/typed.tsx'
import './editor.css'
import {
  channels,
  fieldsOf,
  type MessageChannel,
  type MessageContent,
  withLocale,
  withoutLocale,
  withText,
  wrongWith,
} from './texts.ts'

interface EditorProps {
  content: MessageContent
  onChange: (content: MessageContent) => void
  /** The locale whose texts are shown. */
  locale: string
  onLocale: (locale: string) => void
  /** Validation errors of the API by parameter. */
  errors: Record<string, string>
  /** Whether a text may be the same for any language. */
  takesAny?: boolean
}

const titles: Record<MessageChannel, string> = { email: 'Email', sms: 'SMS', feed: 'Feed' }

/** Edits one language at a time. */
export function ContentEditor({ content, onChange, locale, onLocale, errors, takesAny = false }: EditorProps) {
  const isWrong = (locale: string) => Object.keys(errors).some((name) => locale && name.endsWith(`.${locale}`))
  return (
    <>
      <Languages
        locales={content.locales}
        current={locale}
        onChoose={onLocale}
        isWrong={isWrong}
        onAdd={(added) => {
          onChange(withLocale(content, added))
          onLocale(added)
        }}
        {...((content.locales.length > 1 || (takesAny && locale !== '')) && {
          onRemove: () => {
            const rest = withoutLocale(content, locale)
            onChange(rest)
            onLocale(rest.locales[0]!)
          },
        })}
      />
      {channels.map((channel) => (
        <fieldset key={channel} class="channel">
          <legend>
            <label>
              <input
                type="checkbox"
                checked={content.has[channel]}
                onChange={({ currentTarget }) =>
                  onChange({ ...content, has: { ...content.has, [channel]: currentTarget.checked } })
                }
              />
              {titles[channel]}
            </label>
          </legend>
          {content.has[channel] &&
            fieldsOf[channel].map(({ field, label, rows }) => (
              <Typed
                key={field}
                label={label}
                {...(rows && { kind: 'area', rows })}
                value={content.texts[field][locale] ?? ''}
                wrong={wrongWith(errors, field, locale)}
                onInput={(text) => onChange(withText(content, field, locale, text))}
              />
            ))}
          {errors[`has_${channel}`] && <small class="wrong">{errors[`has_${channel}`]}</small>}
        </fieldset>
      ))}
    </>
  )
}

interface LanguagesProps {
  locales: string[]
  current: string
  onChoose: (locale: string) => void
  onAdd: (locale: string) => void
  onRemove?: () => void
  isWrong: (locale: string) => boolean
}

const nameOf = (locale: string) => locale || 'any language'

function Languages({ locales, current, onChoose, onAdd, onRemove, isWrong }: LanguagesProps) {
  const id = useId()
  const [added, setAdded] = useState('')
  const add = () => {
    const locale = added.trim()
    if (locale === '') return
    if (locales.includes(locale)) onChoose(locale)
    else onAdd(locale)
    setAdded('')
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more box around each of few buttons
    <div class="languages" role="group" aria-label="Language of the texts">
      {locales.map((locale) => (
        <button key={locale} type="button" aria-pressed={locale === current} onClick={() => onChoose(locale)}>
          {nameOf(locale)}
          {isWrong(locale) && ', wrong'}
        </button>
      ))}
      <label for={id} class="quiet">
        Another
      </label>
      <input
        id={id}
        value={added}
        placeholder="kk or kk-KZ"
        autocomplete="off"
        onInput={({ currentTarget }) => setAdded(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button label="Add the language" onClick={add}>
        Add
      </Button>
      {onRemove && (
        <Button kind="plain" label={`Remove ${nameOf(current)}`} onClick={onRemove}>
          Remove {nameOf(current)}
        </Button>
      )}
    </div>
  )
}
