import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { Labelled, type Tied } from './labelled.tsx'
import { say } from './notice.tsx'

// Forms whose fields are parameters of an operation.

/** A field of a form. `name` is the name of the parameter. */
export interface FormField {
  name: string
  label: string
  /** `list`: items separated by commas. `json`: any JSON. Default: text. */
  kind?: 'text' | 'area' | 'number' | 'check' | 'choice' | 'list' | 'json' | 'password' | 'url' | 'date'
  /** The options of a `choice`. */
  options?: readonly (string | { value: string; label: string })[]
  isRequired?: boolean
  value?: string | number | boolean | undefined
  help?: string
}

/** The values of the fields as parameters. Empty fields are omitted. */
export type FormValues = Record<string, unknown>

interface FormProps {
  fields: FormField[]
  submit: string
  /** Resolves to whether it succeeded. If so, the form is reset, unless `keeps` is set. */
  onSubmit: (values: FormValues) => Promise<boolean>
  isBusy?: boolean
  /** The error of the last submission. Messages about a field are shown next to it. */
  error?: unknown
  keeps?: boolean
  /** The fields are in one row, as in a filter. */
  isInline?: boolean
  children?: ComponentChildren
}

/** A form that shows the API's messages about parameters next to their fields. */
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
          // `reset` of a form selects the option with this attribute.
          const chosen = { defaultSelected: of.value === String(value ?? '') }
          return (
            <option key={of.value} value={of.value} {...chosen}>
              {of.label}
            </option>
          )
        })}
      </select>
    )
  // Preact types the attributes of an input by its `type`, and has no type for a variable one.
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

/** The values as an operation's parameters, which the API validates. */
export const asParams = <Params extends object>(values: FormValues) => values as Params

/** Reads the values of the fields, and messages about invalid JSON. */
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
