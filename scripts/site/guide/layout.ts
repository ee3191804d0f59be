import { escapeHtml } from '#core/template/html'
import { addressOf } from './links.ts'
import type { Group, GuidePage } from './pages.ts'
import type { RenderedPage } from './render.ts'

interface Laid {
  page: GuidePage
  groups: Group[]
  rendered: RenderedPage
  previous: GuidePage | undefined
  next: GuidePage | undefined
}

/**
 * Renders a page of the guide as an HTML document. The list of pages follows the text, or is beside it on wide screens.
 */
export const layout = ({ page, groups, rendered, previous, next }: Laid) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(page.name === 'index' ? 'Quartermaster' : `${page.title} · Quartermaster`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="guide.css">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="./">Quartermaster</a>
<nav aria-label="This server"><a class="all" href="#pages">All pages</a> <a href="../_docs">API</a> <a href="../">Status</a></nav>
</header>
<main id="text">
${contents(rendered)}${rendered.html}<nav class="turn" aria-label="Next and previous">${turn('prev', '←', previous)}${turn('next', '→', next)}</nav>
</main>
<nav id="pages" aria-label="All pages">
${groups.map((group) => list(group, page)).join('\n')}
</nav>
</body>
</html>
`

/** The table of contents of a page. Empty if the page has too few sections. */
const contents = ({ sections }: RenderedPage) =>
  sections.length < 3
    ? ''
    : `<nav class="contents" aria-label="On this page"><ul>${sections
        .map(({ anchor, title }) => `<li><a href="#${anchor}">${withoutLinks(title)}</a></li>`)
        .join('')}</ul></nav>\n`

const withoutLinks = (html: string) => html.replaceAll(/<\/?a\b[^>]*>/g, '')

const list = ({ title, pages }: Group, current: GuidePage) =>
  `<h2>${escapeHtml(title)}</h2>\n<ul>${pages.map((page) => `<li>${link(page, page === current)}</li>`).join('')}</ul>`

const link = (page: GuidePage, isCurrent: boolean) =>
  `<a href="${addressOf(page)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a>`

const turn = (rel: 'prev' | 'next', arrow: string, page: GuidePage | undefined) =>
  page
    ? `<a rel="${rel}" href="${addressOf(page)}"><span aria-hidden="true">${arrow}</span> ${escapeHtml(page.title)}</a>`
    : ''
