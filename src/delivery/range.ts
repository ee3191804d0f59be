/** A range of items that is cut into pieces, both ends included. */
export interface Range {
  min: number
  max: number
  gap: number
}

/** A part of a range, both ends included. */
interface Piece {
  min: number
  max: number
}

/** How many pieces a range has. */
export const piecesIn = ({ min, max, gap }: Range) => Math.ceil((max - min + 1) / gap)

/** How many items a piece or a range has. */
export const itemsIn = ({ min, max }: Piece) => max - min + 1

/** The piece of a range that begins at `min`: the last one is cut at the end of the range. */
export const pieceAt = (min: number, { max, gap }: Range): Piece => ({ min, max: Math.min(max, min + gap - 1) })

/** Whether it is a piece of the range, cut as this range is. */
export function isPieceOf(range: Range, { min, max, gap }: Range): boolean {
  if (gap !== range.gap || min < range.min || min > range.max) return false
  return (min - range.min) % gap === 0 && pieceAt(min, range).max === max
}

export const isSameRange = (one: Range, other: Range) =>
  one.min === other.min && one.max === other.max && one.gap === other.gap
