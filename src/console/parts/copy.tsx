// Button that copies a text to the clipboard.
import { useAction } from '../use.ts'
import { Button } from './bits.tsx'

interface CopyProps {
  text: string
  /** Name of the copied text, for screen readers. */
  label: string
  /**
   * Whether the button shows the name of the text instead of only "Copy", because the text itself is not next to the button.
   */
  isAlone?: boolean
}

export function CopyButton({ text, label, isAlone = false }: CopyProps) {
  const copy = useAction(() => navigator.clipboard.writeText(text), { done: 'Copied.' })
  return (
    <Button label={`Copy ${label}`} isBusy={copy.isBusy} onClick={() => copy.run()}>
      {isAlone ? `Copy ${label}` : 'Copy'}
    </Button>
  )
}
