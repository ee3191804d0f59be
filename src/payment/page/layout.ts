// HTML layout that the pages for payers share, with the security headers.
import { html, raw } from 'hono/html'
import { type Language, languages, texts } from './language.ts'
import { style } from './page-style.ts'
import { headersOf } from './security-headers.ts'
import type { Widget } from './widget.ts'

type Html = ReturnType<typeof html>

/** Content of a page for the payer. */
interface Page {
  language: Language
  /** URL of the request, from which the links to the other languages are made. */
  url: URL
  title: string
  main: Html
  /** Scripts after `main`, with the nonce of the Content Security Policy. */
  scripts?: (nonce: string) => Html
  widget?: Widget
  status?: number
  headers?: Record<string, string>
}

/** Renders the HTML layout around a page, with security headers that allow only the scripts and origins of the page. */
export async function renderPage(page: Page): Promise<Response> {
  const { language, title, main, scripts, widget, status = 200, headers } = page
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64()
  const body = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, email=no, address=no">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style nonce="${nonce}">${raw(style)}</style>
<noscript><style nonce="${nonce}">#pay{display:none}</style></noscript>
</head>
<body>
${main}
<footer>${languageLinks(page)}</footer>
${scripts?.(nonce) ?? ''}
</body>
</html>
`
  return new Response(body, { status, headers: { ...headersOf(nonce, language, widget), ...headers } })
}

function languageLinks({ language, url }: Page): Html {
  const links = languages.map((other) => {
    const { name } = texts[other]
    const query = new URLSearchParams(url.searchParams)
    query.set('language', other)
    return other === language
      ? html`<li><span aria-current="true">${name}</span></li>`
      : html`<li><a href="?${query.toString()}" lang="${other}" hreflang="${other}">${name}</a></li>`
  })
  return html`<nav aria-label="${texts[language].languages}"><ul>${links}</ul></nav>`
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1a56c4" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>',
)}`
