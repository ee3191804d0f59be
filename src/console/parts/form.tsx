// A form whose fields are the parameters of an API operation. The API validates the values.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { Labelled, type Tied } from './labelled.tsx'
import { say } from './notice.tsx'

/** A field of a form. `name` is the name of the operation's parameter. */
export interface FormField {
  name: string
  label: string
  /** How the value is entered and read. `list`: items separated by commas. `json`: any JSON. Default: text. */
  kind?: 'text' | 'area' | 'number' | 'check' | 'choice' | 'list' | 'json' | 'password' | 'url' | 'date'
  /** The options of a `choice`. */
  options?: readonly (string | { value: string; label: string })[]
  isRequired?: boolean
  value?: string | number | boolean | undefined
  help?: string
}

/** The values of the fields by parameter name. Empty fields are left out. */
export type FormValues = Record<string, unknown>

interface FormProps {
  fields: FormField[]
  submit: string
  /** Submits the values. Resolves to whether the submission succeeded; the form is then reset, unless `keeps` is set. */
  onSubmit: (values: FormValues) => Promise<boolean>
  isBusy?: boolean
  /** The error of the last submission. Messages about a parameter are shown next to its field. */
  error?: unknown
  keeps?: boolean
  /** Whether the fields are in one row, as in a filter above a list. */
  isInline?: boolean
  children?: ComponentChildren
}

/** A form that shows the API's error messages about parameters next to their fields. */
export function Form({
  fields,
  submit,
  onSubmit,
  isBusy = false,
  error,
  keeps = false,
  isInline = false,
  children,
}: FormProps) {
  const [unread, setUnread] = useState<Record<string, string>>({})
  const fromApi = error instanceof QuartermasterError ? (error.errors ?? {}) : {}
  const messages: Record<string, string> = { ...fromApi, ...unread }
  const isGeneral = error !== undefined && !fields.some(({ name }) => name in messages)
  return (
    <form
      class={isInline ? 'fields inline' : 'fields'}
      onSubmit={async (event) => {
        event.preventDefault()
        const form = event.currentTarget
        const { values, errors } = read(fields, new FormData(form))
        setUnread(errors)
        if (Object.keys(errors).length > 0) return
        if ((await onSubmit(values)) && !keeps) form.reset()
      }}
    >
      {fields.map((field) => (
        <Labelled
          key={field.name}
          label={field.label}
          help={field.help}
          wrong={messages[field.name]}
          isCheck={field.kind === 'check'}
        >
          {(tied) => <Input field={field} tied={tied} />}
        </Labelled>
      ))}
      {isGeneral && (
        <p class="wrong" role="alert">
          {say(error)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={isBusy} aria-busy={isBusy}>
          {submit}
        </button>
        {children}
      </div>
    </form>
  )
}

interface InputProps {
  field: FormField
  tied: Tied
}

const types = { number: 'number', password: 'password', url: 'url', date: 'datetime-local' } as const

function Input({ field: { name, kind = 'text', options = [], isRequired = false, value }, tied }: InputProps) {
  const common = { ...tied, name, required: isRequired }
  if (kind === 'area' || kind === 'json')
    return (
      <textarea
        {...common}
        rows={kind === 'json' ? 3 : 5}
        spellcheck={kind === 'area'}
        defaultValue={String(value ?? '')}
      />
    )
  if (kind === 'check') return <input {...common} type="checkbox" defaultChecked={value === true} />
  if (kind === 'choice')
    return (
      <select {...common}>
        {options.map((option) => {
          const of = typeof option === 'string' ? { value: option, label: option } : option
          // When a form is reset, the browser selects the option that has this attribute.
          const chosen = { defaultSelected: of.value === String(value ?? '') }
          return (
            <option key={of.value} value={of.value} {...chosen}>
              {of.label}
            </option>
          )
        })}
      </select>
    )
  // Preact types the attributes of an input by its `type`, and has no type for one that varies.
  const step = kind === 'number' ? 'any' : undefined
  return (
    <input
      {...common}
      type={typeOf(kind) as 'text'}
      step={step}
      defaultValue={String(value ?? '')}
      autocomplete="off"
    />
  )
}

type Kind = NonNullable<FormField['kind']>

const typeOf = (kind: Kind) => (kind in types ? types[kind as keyof typeof types] : 'text')

/** Declares the values as the parameters of an operation. The form does not check them, because the API does. */
export const asParams = <Params extends object>(values: FormValues) => values as Params

/** Reads the values of the fields, and collects messages about fields with invalid JSON. */
function read(fields: FormField[], form: FormData): { values: FormValues; errors: Record<string, string> } {
  const values: FormValues = {}
  const errors: Record<string, string> = {}
  for (const { name, kind = 'text' } of fields) {
    const text = String(form.get(name) ?? '')
    if (kind === 'check') values[name] = form.has(name)
    else if (text.trim() === '') continue
    else if (kind === 'number') values[name] = Number(text)
    else if (kind === 'list') values[name] = text.split(',').map((item) => item.trim())
    else if (kind === 'date') values[name] = new Date(text).toISOString()
    else if (kind === 'json') {
      try {
        values[name] = JSON.parse(text)
      } catch {
        errors[name] = 'Must be valid JSON.'
      }
    } else values[name] = text
  }
  return { values, errors }
}
