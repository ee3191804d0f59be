import { useAction } from '../use.ts'
import { Button } from './bits.tsx'

interface CopyProps {
  text: string
  /** What it copies. */
  label: string
  /** Whether that is told by nothing beside the button. */
  isAlone?: boolean
}

/** Puts a text where it can be pasted from. */
export function CopyButton({ text, label, isAlone = false }: CopyProps) {
  const copy = useAction(() => navigator.clipboard.writeText(text), { done: 'It is copied.' })
  return (
    <Button label={`Copy ${label}`} isBusy={copy.isBusy} onClick={() => copy.run()}>
      {isAlone ? `Copy ${label}` : 'Copy'}
    </Button>
  )
}
