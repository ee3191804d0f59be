// The page that a payer sees if the link to the card page is wrong, or card payments are not configured.
import { html } from 'hono/html'
import type { Failure } from '#core/failure'
import { languageOf, texts } from './language.ts'
import { renderPage } from './layout.ts'

/** Renders an error for the payer. Shows no parameter of the request, since none is validated. */
export function errorPage(failure: Failure, { request, url }: { request: Request; url: URL }): Promise<Response> {
  const language = languageOf(request.headers.get('accept-language'), url)
  const labels = texts[language]
  const { status } = failure
  const { title, text } = status >= 500 || status === 429 ? labels.unavailable : labels.invalid
  const details = Object.entries(failure.errors ?? { [failure.code]: failure.message })
  return renderPage({
    language,
    url,
    title,
    main: html`<main>
<h1 class="refused">${title}</h1>
<p>${text}</p>
<details><summary>${labels.forDevelopers}</summary><dl lang="en">${details.map(
      ([name, message]) => html`<div><dt><code>${name}</code></dt><dd>${message}</dd></div>`,
    )}</dl></details>
</main>`,
    status,
    headers: failure.headers,
  })
}
