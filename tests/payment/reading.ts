// A page as a browser would read it.
import { Parser } from 'htmlparser2'

interface Read {
  /** Its elements with the names of their attributes, in the order in which they open and close. */
  structure: string[]
  /** What people read, without what stands in scripts and styles. */
  text: string
  /** The address of each link. */
  links: string[]
  /** The text of each script. */
  scripts: string[]
}

const silent = ['script', 'style', 'title']

/** Reads a document; references such as `&lt;` are resolved. */
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

/** What the page's script works with. */
export const dataIn = (html: string) => JSON.parse(read(html).scripts[0]!) as Record<string, never>
