import { html } from 'hono/html'
import type { Failure } from '#core/failure'
import { languageOf, texts } from './language.ts'
import { show } from './layout.ts'

/** What the payer reads in place of the page: nothing of what was asked for, which nobody has looked at yet. */
export function refusalPage(failure: Failure, { request, url }: { request: Request; url: URL }): Promise<Response> {
  const language = languageOf(request.headers.get('accept-language'), url)
  const said = texts[language]
  const { status } = failure
  const { title, text } = status >= 500 ? said.unavailable : said.invalid
  const details = Object.entries(failure.errors ?? { [failure.code]: failure.message })
  return show({
    language,
    url,
    title,
    main: html`<main>
<h1 class="refused">${title}</h1>
<p>${text}</p>
<details><summary>${said.forDevelopers}</summary><dl lang="en">${details.map(
      ([name, message]) => html`<div><dt><code>${name}</code></dt><dd>${message}</dd></div>`,
    )}</dl></details>
</main>`,
    status,
    headers: failure.headers,
  })
}
