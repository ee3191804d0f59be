import { Labelled } from './labelled.tsx'

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
  const own = { value, required: more.isRequired ?? false, placeholder: more.placeholder }
  return (
    <Labelled label={label} help={help} wrong={wrong}>
      {(tied) =>
        kind === 'area' ? (
          <textarea {...tied} {...own} rows={rows} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
        ) : (
          // Of an input's attributes there is a type for each kind of input, and none for a choice of kinds.
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
