// Renders a page of the guide from Markdown to HTML.
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#core/template/html'
import { anchors, plain } from './anchors.ts'
import { addressOf, targetOf } from './links.ts'
import type { GuidePage } from './pages.ts'

export interface RenderedPage {
  html: string
  /** The second-level headings with their anchors, as HTML. */
  sections: { anchor: string; title: string }[]
  /** Files of `docs/` that the page uses, such as images, which must be copied. */
  files: string[]
}

/** Renders Markdown as HTML. Links lead to other pages, headings have GitHub's anchors, and wide tables scroll. */
export function render(page: GuidePage, pages: GuidePage[]): RenderedPage {
  const anchorOf = anchors()
  const sections: RenderedPage['sections'] = []
  const files: string[] = []

  /** The address of a link's target in the guide, or undefined if the target is not part of the site. */
  const hrefOf = (href: string): string | undefined => {
    const target = targetOf(href, page.file, pages)
    if (target.kind === 'unchanged') return href
    if (target.kind === 'server') return `../${target.path}`
    if (target.kind === 'page') return addressOf(target.page, target.anchor)
    if (target.kind !== 'file') return undefined
    files.push(target.file)
    return target.file.replace(/^docs\//, '')
  }

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens)
        const anchor = anchorOf(plain(text))
        if (depth === 2) sections.push({ anchor, title: html })
        return `<h${depth} id="${anchor}">${html}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const to = hrefOf(href)
        return to === undefined ? html : `<a href="${escapeHtml(to)}">${html}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(hrefOf(href) ?? href)}" alt="${escapeHtml(text)}">`
      },
      code({ text, lang }) {
        const kind = lang ? ` class="${escapeHtml(lang)}"` : ''
        return `<pre tabindex="0"><code${kind}>${escapeHtml(text)}</code></pre>\n`
      },
      table(table) {
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${headOf(this, table)}${bodyOf(this, table)}</table></div>\n`
      },
    },
  })
  return { html: marked.parse(page.markdown, { async: false }), sections, files }
}

/** The part of the Markdown renderer that cells of a table need: it renders text within a cell. */
interface Within {
  parser: { parseInline(tokens: Tokens.TableCell['tokens']): string }
}

const cellsOf = ({ parser }: Within, cells: Tokens.TableCell[], tag: (text: string) => [open: string, close: string]) =>
  cells
    .map(({ tokens }) => {
      const html = parser.parseInline(tokens)
      const [open, close] = tag(html)
      return `${open}${html}${close}`
    })
    .join('')

/** The header of a table. Empty if no column has a name. A column without a name is not marked as a heading. */
function headOf(within: Within, { header }: Tokens.Table): string {
  if (header.every(({ text }) => text === '')) return ''
  const tag = (text: string): [string, string] => (text === '' ? ['<td>', '</td>'] : ['<th scope="col">', '</th>'])
  return `<thead><tr>${cellsOf(within, header, tag)}</tr></thead>`
}

const bodyOf = (within: Within, { rows }: Tokens.Table) =>
  `<tbody>${rows.map((row) => `<tr>${cellsOf(within, row, () => ['<td>', '</td>'])}</tr>`).join('')}</tbody>`
