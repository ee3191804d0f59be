import { Tokenizer } from 'htmlparser2'

/** What a page says, as plain text, however deep it is nested: the words between its tags, in the lines that blocks begin. */
export function strippedTextOf(html: string): string {
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
