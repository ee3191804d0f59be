import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface LabelledProps {
  label: string
  help?: string | undefined
  /** What is wrong with what stands in the field. */
  wrong?: string | undefined
  isCheck?: boolean
  /** The input, with what ties it to its label, its help and what is wrong with it. */
  children: (tied: Tied) => ComponentChildren
}

export interface Tied {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A field: its label, its input, what helps to fill it in, and what is wrong with it, which are read aloud with it. */
export function Labelled({ label, help, wrong, isCheck = false, children }: LabelledProps) {
  const id = useId()
  const told = [help && `${id}-help`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  return (
    <div class={isCheck ? 'field check' : 'field'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': told || undefined, 'aria-invalid': wrong ? true : undefined })}
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
