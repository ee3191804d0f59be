import type { Action } from '../use.ts'
import { Button } from './bits.tsx'

/** Asks for the next rows of a list, as long as there are any. */
export function More({ next, action }: { next: string | undefined; action: Action<[next: string]> }) {
  if (!next) return null
  return (
    <Button isBusy={action.isBusy} onClick={() => action.run(next)}>
      More
    </Button>
  )
}
