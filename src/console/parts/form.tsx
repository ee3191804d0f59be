import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { Labelled, type Tied } from './labelled.tsx'
import { say } from './notice.tsx'

/** One field of a form, under the name of the parameter that it becomes. */
export interface FormField {
  name: string
  label: string
  /** `list` is separated by commas, `json` any JSON; text unless given. */
  kind?: 'text' | 'area' | 'number' | 'check' | 'choice' | 'list' | 'json' | 'password' | 'url' | 'date'
  /** What a choice is between. */
  options?: readonly (string | { value: string; label: string })[]
  isRequired?: boolean
  value?: string | number | boolean | undefined
  help?: string
}

/** What was typed, as the API takes it: a field that is empty is left out. */
export type FormValues = Record<string, unknown>

interface FormProps {
  fields: FormField[]
  submit: string
  /** Resolves whether it was taken: the form is emptied then, unless it `keeps`. */
  onSubmit: (values: FormValues) => Promise<boolean>
  isBusy?: boolean
  /** Of the last attempt: what is wrong with a field stands beside it. */
  error?: unknown
  keeps?: boolean
  /** Its fields stand side by side, as in a filter. */
  isInline?: boolean
  children?: ComponentChildren
}

/** A form whose fields are told by name what the API finds wrong with them. */
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
  const refused = error instanceof QuartermasterError ? (error.errors ?? {}) : {}
  const wrong: Record<string, string> = { ...refused, ...unread }
  const others = error !== undefined && !fields.some(({ name }) => name in wrong)
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
          wrong={wrong[field.name]}
          isCheck={field.kind === 'check'}
        >
          {(tied) => <Input field={field} tied={tied} />}
        </Labelled>
      ))}
      {others && (
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
          // What a form is reset to is an attribute of the option.
          const chosen = { defaultSelected: of.value === String(value ?? '') }
          return (
            <option key={of.value} value={of.value} {...chosen}>
              {of.label}
            </option>
          )
        })}
      </select>
    )
  // Of an input's attributes there is a type for each kind of input, and none for a choice of kinds.
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

/** What was typed as an operation's parameters: the API itself checks them, and says of each what is wrong. */
export const asParams = <Params extends object>(values: FormValues) => values as Params

/** The fields' values, and what is wrong with those that cannot be read. */
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
        errors[name] = 'Is not JSON'
      }
    } else values[name] = text
  }
  return { values, errors }
}
