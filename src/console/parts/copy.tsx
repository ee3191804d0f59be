import { useAction } from '../use.ts'
import { Button } from './bits.tsx'

/** Puts a text where it can be pasted from; `label` says what it copies. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = useAction(() => navigator.clipboard.writeText(text), { done: 'It is copied.' })
  return (
    <Button label={`Copy ${label}`} isBusy={copy.isBusy} onClick={() => copy.run()}>
      Copy
    </Button>
  )
}
