import type { Quartermaster } from '#client/index'
import { q } from '../../session.ts'

const variants = ['fulltext', 'typeahead'] as const
export type SearchVariant = (typeof variants)[number]

export const isVariant = (text: string | undefined): text is SearchVariant =>
  variants.some((variant) => variant === text)

/** The component of a variant. Typeahead takes and gives what full text does, but for titles, stemmers and stop words. */
export const searchOf = (variant: SearchVariant) => q()[variant] as unknown as Quartermaster['fulltext']

/** A part of a text that was found, or what stands between two. */
export interface TextPiece {
  text: string
  isFound: boolean
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What a highlight says: HTML in which all is escaped but the marks. */
export const piecesOf = (highlight: string): TextPiece[] =>
  highlight
    .split(/<mark>(.*?)<\/mark>/s)
    .map((html, i) => ({
      text: html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!),
      isFound: i % 2 === 1,
    }))
    .filter(({ text }) => text !== '')

const before = 80

/** Of a long text that much which begins a little before the first thing found. */
export function excerptOf(pieces: TextPiece[], most: number): TextPiece[] {
  const first = pieces.findIndex(({ isFound }) => isFound)
  const excerpt: TextPiece[] = []
  let left = most
  for (const [i, piece] of pieces.entries()) {
    if (i < first - 1 || left <= 0) continue
    const skipped = i < first ? Math.max(0, piece.text.length - before) : 0
    const text = piece.text.slice(skipped, skipped + left)
    excerpt.push({
      ...piece,
      text: (skipped > 0 ? '…' : '') + text + (text.length + skipped < piece.text.length ? '…' : ''),
    })
    left -= text.length
  }
  return excerpt
}
