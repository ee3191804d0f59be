// Arithmetic on the range of numbers that a delivery covers, and its pieces. `data_url` is called once for each piece.

/** A range of numbers, both ends inclusive, that is divided into pieces of `gap` numbers. */
export interface Range {
  min: number
  max: number
  gap: number
}

/** A part of a range for which `data_url` is called once. Both ends are inclusive. */
interface Piece {
  min: number
  max: number
}

/** Number of pieces of a range. */
export const piecesIn = ({ min, max, gap }: Range) => Math.ceil((max - min + 1) / gap)

/** Number of numbers in a piece or a range, both ends included. */
export const itemsIn = ({ min, max }: Piece) => max - min + 1

/** The piece that starts at `min`. The last piece of a range is shorter than `gap` if the range ends before. */
export const pieceAt = (min: number, { max, gap }: Range): Piece => ({ min, max: Math.min(max, min + gap - 1) })

/**
 * Whether this is exactly one of the pieces of the range. After a change of `gap`, a late call of the queue may name a piece
 * that no longer exists.
 */
export function isPieceOf(range: Range, { min, max, gap }: Range): boolean {
  if (gap !== range.gap || min < range.min || min > range.max) return false
  return (min - range.min) % gap === 0 && pieceAt(min, range).max === max
}

export const isSameRange = (one: Range, other: Range) =>
  one.min === other.min && one.max === other.max && one.gap === other.gap
