import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { strippedTextOf } from './stripped-text.ts'

/** Levels of elements: the conversion takes a time that grows with their square, and a stack that grows with them. */
const deepest = 200

/** What a page says, as plain text, for who reads no html: of one that is nested too deep the words alone. */
export const plainTextOf = (html: string): string => (isDeeper(html, deepest) ? strippedTextOf(html) : convert(html))

// The usual ones indent every line of an item: a text would become as many times longer as its lists are deep.
const list =
  (isOrdered: boolean): FormatCallback =>
  ({ attribs, children = [], parent }, walk, builder) => {
    let number = Math.trunc(Number(attribs?.start ?? 1)) || 1
    const isInner = parent?.name === 'li'
    builder.openBlock({ leadingLineBreaks: isInner ? 1 : 2 })
    for (const child of children.filter(isElement)) {
      const mark = child.name === 'li' ? `${isInner ? '   ' : ' '}${isOrdered ? `${number++}.` : '*'} ` : ''
      builder.openBlock({ leadingLineBreaks: 1 })
      walk(child.children ?? [], builder)
      builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => mark + text })
    }
    builder.closeBlock({ trailingLineBreaks: isInner ? 1 : 2 })
  }

const cell: FormatCallback = ({ children = [] }, walk, builder) => {
  walk(children, builder)
  builder.addInline(' ')
}

const isElement = ({ type }: DomNode) => type === 'tag'

const convert = compile({
  wordwrap: false,
  formatters: { bullets: list(false), numbers: list(true), cell },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: 'blockquote', format: 'block' },
    { selector: 'ul', format: 'bullets' },
    { selector: 'ol', format: 'numbers' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Characters that are parsed before the depth is looked at. */
const piece = 1_000

function isDeeper(html: string, levels: number): boolean {
  let depth = 0
  let most = 0
  const parser = new Parser({
    onopentag: () => {
      most = Math.max(most, ++depth)
    },
    onclosetag: () => {
      depth--
    },
  })
  for (let at = 0; at < html.length && most <= levels; at += piece) parser.write(html.slice(at, at + piece))
  return most > levels
}
