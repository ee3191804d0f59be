// Layout of a form field: label, input, help text and error message.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface LabelledProps {
  label: string
  help?: string | undefined
  /** Message about an invalid value. */
  wrong?: string | undefined
  isCheck?: boolean
  /** Renders the input with attributes that refer to the label, the help text and the message. */
  children: (tied: Tied) => ComponentChildren
}

export interface Tied {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Screen readers read all parts of the field with the input. */
export function Labelled({ label, help, wrong, isCheck = false, children }: LabelledProps) {
  const id = useId()
  const describedBy = [help && `${id}-help`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  return (
    <div class={isCheck ? 'field check' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': wrong ? true : undefined })}
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
