// Makes the plain text of a mail that has only HTML, for mail programs that show no HTML.
import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { Parser, Tokenizer } from 'htmlparser2'

/**
 * Maximum nesting for `html-to-text`. Its time grows with the square of the depth, and deep recursion would overflow the stack.
 */
const maxDepth = 200

/** Converts HTML to plain text. HTML that is nested more deeply than `maxDepth` gets a simpler conversion. */
export const plainTextOf = (html: string): string => (isDeeper(html, maxDepth) ? wordsOf(html) : convert(html))

// Replaces the default formatters for lists. They indent every line of an item at each level, so the text of nested lists would
// grow with their depth.
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

/** Number of characters that are parsed between two checks of the depth: parsing stops soon after the depth is exceeded. */
const chunkCharacters = 1_000

function isDeeper(html: string, levels: number): boolean {
  let depth = 0
  let maxSeen = 0
  const parser = new Parser({
    onopentag: () => {
      maxSeen = Math.max(maxSeen, ++depth)
    },
    onclosetag: () => {
      depth--
    },
  })
  for (let at = 0; at < html.length && maxSeen <= levels; at += chunkCharacters)
    parser.write(html.slice(at, at + chunkCharacters))
  return maxSeen > levels
}

/** Simple conversion, in linear time at any depth: the text between the tags, with a line break at each block element. */
function wordsOf(html: string): string {
  let text = ''
  let hidden: string | undefined
  const begin = (name: string) => {
    if (blocks.test(name)) text += '\n'
    else if (cells.test(name)) text += ' '
  }
  const nameIn = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignored,
      onopentagname: (start, end) => {
        const name = nameIn(start, end)
        if (unread.test(name)) hidden ??= name
        begin(name)
      },
      onclosetag: (start, end) => {
        const name = nameIn(start, end)
        if (name === hidden) hidden = undefined
        begin(name)
      },
      ontext: (start, end) => {
        if (!hidden) text += html.slice(start, end).replace(/[\t\n\f\r ]+/g, ' ')
      },
      ontextentity: (code) => {
        if (!hidden) text += String.fromCodePoint(code)
      },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  const lines = text.split('\n').map((line) => line.replace(/ +/g, ' ').trim())
  return lines.filter((line) => line !== '').join('\n')
}

const blocks =
  /^(?:address|article|aside|blockquote|br|center|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6r]|header|li|main|nav|ol|p|pre|section|table|tr|ul)$/
const cells = /^t[dh]$/
const unread = /^(?:script|style|title)$/

const ignore = () => undefined

const ignored = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
}
