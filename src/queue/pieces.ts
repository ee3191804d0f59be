/** A part of a fraction's range, both ends included. */
export interface Piece {
  min: number
  max: number
}

/** The piece that begins at `next`: `gap` items, the last one cut at the end of the range. */
export const pieceAt = (next: number, { max, gap }: { max: number; gap: number }): Piece => ({
  min: next,
  max: gap > max - next ? max : next + gap - 1,
})

/** How many pieces a range has. */
export const piecesIn = ({ min, max, gap }: Piece & { gap: number }) => Math.ceil((max - min + 1) / gap)
