// Arithmetic on the range of numbers that a delivery covers. Each piece of the range is one call of `data_url`.

/** A range of numbers that is divided into pieces of `gap` numbers; both ends are inclusive. */
export interface Range {
  min: number
  max: number
  gap: number
}

/** A part of a range; both ends are inclusive. */
interface Piece {
  min: number
  max: number
}

/** Number of pieces of a range. */
export const piecesIn = ({ min, max, gap }: Range) => Math.ceil((max - min + 1) / gap)

/** Number of items of a piece or a range. */
export const itemsIn = ({ min, max }: Piece) => max - min + 1

/** The piece that starts at `min`. The last piece ends with the range. */
export const pieceAt = (min: number, { max, gap }: Range): Piece => ({ min, max: Math.min(max, min + gap - 1) })

/** Whether the piece is one of the pieces of the range. */
export function isPieceOf(range: Range, { min, max, gap }: Range): boolean {
  if (gap !== range.gap || min < range.min || min > range.max) return false
  return (min - range.min) % gap === 0 && pieceAt(min, range).max === max
}

export const isSameRange = (one: Range, other: Range) =>
  one.min === other.min && one.max === other.max && one.gap === other.gap
