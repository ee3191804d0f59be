import { useId } from 'preact/hooks'

interface TypedProps {
  label: string
  value: string
  onInput: (value: string) => void
  kind?: 'text' | 'area' | 'number' | 'url'
  /** Of an area; 4 unless given. */
  rows?: number
  help?: string | undefined
  /** What is wrong with it. */
  wrong?: string | undefined
  isRequired?: boolean
  placeholder?: string
}

/** A field that the page follows while it is typed in, unlike those of a form that is read when it is sent. */
export function Typed({ label, value, onInput, kind = 'text', rows = 4, help, wrong, ...more }: TypedProps) {
  const id = useId()
  const told = [help && `${id}-help`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  const common = {
    id,
    value,
    required: more.isRequired ?? false,
    placeholder: more.placeholder,
    'aria-describedby': told || undefined,
    'aria-invalid': wrong ? true : undefined,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'area' ? (
        <textarea {...common} rows={rows} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      ) : (
        // Of an input's attributes there is a type for each kind of input, and none for a choice of kinds.
        <input
          {...common}
          type={kind as 'text'}
          step={kind === 'number' ? 'any' : undefined}
          autocomplete="off"
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      {help && (
        <small id={`${id}-help`} class="quiet">
          {help}
        </small>
      )}
      {wrong && (
        <small id={`${id}-wrong`} class="wrong">
          {wrong}
        </small>
      )}
    </div>
  )
}
