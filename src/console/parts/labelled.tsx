// Layout of one form field: label, input, help text and error message.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface LabelledProps {
  label: string
  help?: string | undefined
  /** Message about an invalid value, shown below the field. */
  wrong?: string | undefined
  isCheck?: boolean
  /** Renders the input. `tied` has the attributes that connect the input with its label, help text and message. */
  children: (tied: Tied) => ComponentChildren
}

export interface Tied {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** One form field. The attributes in `tied` make screen readers read its label, help text and message with the input. */
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
