// Parses the HTML of the card page into its structure, text, links and scripts, for assertions.
import { Parser } from 'htmlparser2'

interface Read {
  /** Elements with the names of their attributes, in document order. */
  structure: string[]
  /** Visible text, without scripts and styles. */
  text: string
  /** URLs of the links. */
  links: string[]
  /** Texts of the scripts. */
  scripts: string[]
}

const silent = ['script', 'style', 'title']

/** Parses a document, and resolves character references. */
export function read(html: string): Read {
  const page: Read = { structure: [], text: '', links: [], scripts: [] }
  const within: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      within.push(name)
      page.structure.push([`<${name}`, ...Object.keys(attributes)].join(' '))
      if (name === 'a') page.links.push(attributes.href!)
      if (name === 'script') page.scripts.push('')
    },
    ontext(text) {
      if (within.at(-1) === 'script') page.scripts.push(page.scripts.pop() + text)
      if (!silent.includes(within.at(-1)!)) page.text += text
    },
    onclosetag(name) {
      within.pop()
      page.structure.push(`</${name}`)
    },
    oncomment: () => void page.structure.push('<!--'),
  })
  parser.end(html)
  return page
}

/** The JSON data of the page's script. */
export const dataIn = (html: string) => JSON.parse(read(html).scripts[0]!) as Record<string, never>
