// Renders the example page (`/_example`) of fulltext and typeahead, which searches at each keystroke.
import { html, raw } from 'hono/html'
import type { Variant } from './engine/indexed-document.ts'
import { samples } from './example-documents.ts'
import { script } from './example-script.ts'
import { style } from './example-style.ts'

const titles = { fulltext: 'Full-text search', typeahead: 'Search as you type' }

/** Renders the page. A strict Content-Security-Policy and the script make sure that results are treated as data, not as HTML. */
export async function examplePage(variant: Variant): Promise<Response> {
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64()
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${titles[variant]}</title>
        <style nonce="${nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${titles[variant]}</h1>
          <form role="search" id="form">
            <label for="search">Search</label>
            <input id="search" type="search" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="10000" autofocus />
            <label for="index">Index</label>
            <input id="index" value="example" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="48" />
          </form>
          <form id="access" hidden>
            <label for="token">Token, or user:password</label>
            <input id="token" type="password" autocomplete="off" />
            <button>Sign in</button>
          </form>
          <p id="state" role="status">Type to search, or write the sample documents first.</p>
          <ol id="results"></ol>
          <p><button id="fill" type="button">Write ${samples[variant].length} sample documents to the index</button></p>
          <p><small>The samples are fictional, and in several languages. If the index does not exist, it is created. <a href="_docs">Documentation</a></small></p>
        </main>
        <noscript><p>This page needs JavaScript; the documentation does not.</p></noscript>
        <script id="samples" type="application/json" nonce="${nonce}">${raw(inScript(samples[variant]))}</script>
        <script nonce="${nonce}">
          ${raw(script)}
        </script>
      </body>
    </html>`
  return new Response(await document, { headers: headersFor(nonce) })
}

/** Encodes JSON for a script element. Escapes `<`, so that a text with `</script>` cannot end the element. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

const headersFor = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})
