// A controlled form field: the page gets each change while the user types. The fields of `Form`, in contrast, are read on
// submit.
import { Labelled } from './labelled.tsx'

interface TypedProps {
  label: string
  value: string
  onInput: (value: string) => void
  kind?: 'text' | 'area' | 'number' | 'url'
  /** Number of lines of an `area`. Default: 4. */
  rows?: number
  help?: string | undefined
  /** Message about an invalid value, shown below the field. */
  wrong?: string | undefined
  isRequired?: boolean
  placeholder?: string
}

export function Typed({ label, value, onInput, kind = 'text', rows = 4, help, wrong, ...more }: TypedProps) {
  const own = { value, required: more.isRequired ?? false, placeholder: more.placeholder }
  return (
    <Labelled label={label} help={help} wrong={wrong}>
      {(tied) =>
        kind === 'area' ? (
          <textarea {...tied} {...own} rows={rows} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
        ) : (
          // Preact types the attributes of an input by its `type`, and has no type for one that varies.
          <input
            {...tied}
            {...own}
            type={kind as 'text'}
            step={kind === 'number' ? 'any' : undefined}
            autocomplete="off"
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        )
      }
    </Labelled>
  )
}
