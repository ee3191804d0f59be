import { html, raw } from 'hono/html'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

/** HTML of the live page, which shows the caught requests of a space. The page is empty at first; its script loads the requests. */
export async function page(): Promise<Response> {
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64()
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Request catcher</title>
        <style nonce="${nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>Request catcher <small id="space"></small></h1>
          <p id="state" role="status">Connecting</p>
          <button id="clear" type="button">Clear</button>
        </header>
        <main>
          <nav aria-label="Requests, the newest first">
            <p id="empty">Nothing caught yet. Send any request to <code id="base"></code></p>
            <ul id="requests"></ul>
          </nav>
          <article id="details" tabindex="-1" aria-label="The chosen request"><p>Choose a request to see it.</p></article>
        </main>
        <noscript><p>This page needs JavaScript; the list is at <a href="../_requests_">_requests_</a>.</p></noscript>
        <script nonce="${nonce}">
          ${raw(script)}
        </script>
      </body>
    </html>`
  return new Response(await document, { headers: headersFor(nonce) })
}

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
