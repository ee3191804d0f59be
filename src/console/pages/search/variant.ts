// Helpers for the pages of both search components, fulltext and typeahead: their API client, and excerpts with marked matches.
import type { Quartermaster } from '#client/index'
import { q } from '../../session.ts'

const variants = ['fulltext', 'typeahead'] as const
export type SearchVariant = (typeof variants)[number]

export const isVariant = (text: string | undefined): text is SearchVariant =>
  variants.some((variant) => variant === text)

/**
 * Returns the API client of a component. The type is that of fulltext; typeahead has the same API without titles, stemmers and stop
 * words.
 */
export const searchOf = (variant: SearchVariant) => q()[variant] as unknown as Quartermaster['fulltext']

/** A part of a highlighted text: a match, or the text between two matches. */
export interface TextPiece {
  text: string
  isFound: boolean
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/**
 * Splits a highlight, which is escaped HTML with marks, into pieces of plain text. The page thus never inserts HTML from the API.
 */
export const piecesOf = (highlight: string): TextPiece[] =>
  highlight
    .split(/<mark>(.*?)<\/mark>/s)
    .map((html, i) => ({
      text: html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!),
      isFound: i % 2 === 1,
    }))
    .filter(({ text }) => text !== '')

/** Number of characters of an excerpt that precede the first match. */
const contextLength = 80

/** Cuts an excerpt out of a long text, which begins shortly before the first match. */
export function excerptOf(pieces: TextPiece[], maxLength: number): TextPiece[] {
  const first = pieces.findIndex(({ isFound }) => isFound)
  const excerpt: TextPiece[] = []
  let left = maxLength
  for (const [i, piece] of pieces.entries()) {
    if (i < first - 1 || left <= 0) continue
    const skipped = i < first ? Math.max(0, piece.text.length - contextLength) : 0
    const text = piece.text.slice(skipped, skipped + left)
    excerpt.push({
      ...piece,
      text: (skipped > 0 ? '…' : '') + text + (text.length + skipped < piece.text.length ? '…' : ''),
    })
    left -= text.length
  }
  return excerpt
}
