import type { Action } from '../use.ts'
import { Button } from './bits.tsx'

/** A button that loads the next rows of a list. Renders nothing if there are no more. */
export function More({ next, action }: { next: string | undefined; action: Action<[next: string]> }) {
  if (!next) return null
  return (
    <Button isBusy={action.isBusy} onClick={() => action.run(next)}>
      More
    </Button>
  )
}
