import { Button } from './bits.tsx'

interface PagerProps {
  offset: number
  size: number
  total: number
  onTurn: (offset: number) => void
}

/**
 * Buttons to the previous and the next page of a list, for lists that are paged by offset and whose total number of items is
 * known.
 */
export function Pager({ offset, size, total, onTurn }: PagerProps) {
  if (total <= size && offset === 0) return null
  return (
    <div class="actions">
      <Button isDisabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - size))}>
        Previous
      </Button>
      <span>
        {Math.min(offset + 1, total)} to {Math.min(offset + size, total)} of {total}
      </span>
      <Button isDisabled={offset + size >= total} onClick={() => onTurn(offset + size)}>
        Next
      </Button>
    </div>
  )
}
