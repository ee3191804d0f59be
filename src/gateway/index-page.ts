import { html, raw } from 'hono/html'
import type { Description } from '#core/http/openapi'
import { ownPrefixOf } from '#manifests'

/**
 * Renders the gateway's start page, a list of the components with description and state. `healths` and `documents` have
 * the JSON of `/_health` and `/_openapi.json` by component.
 */
export async function page(
  healths: Map<string, unknown>,
  documents: Map<string, unknown>,
  hasConsole: boolean,
): Promise<Response> {
  const nonce = crypto.randomUUID()
  const body = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Quartermaster</title>
        <style nonce="${nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>Quartermaster</h1>
          <p>
            The services that every application needs, each under its own path.
            ${hasConsole ? html`<a href="console/">Console</a> · ` : ''}<a href="docs/">Guide</a> ·
            <a href="_docs">Documentation of all</a> · <a href="_openapi.json">OpenAPI</a>
          </p>
          <ul>
            ${[...healths].map(([name, health]) => row(name, health !== undefined, documents.get(name) as Description | undefined))}
          </ul>
        </main>
      </body>
    </html>`
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'accept',
    },
  })
}

const row = (name: string, isUp: boolean, document: Description | undefined) => html`<li>
  <div><b>${name}</b><br />${document && firstSentence(document.info.description)}</div>
  <span class="${isUp ? 'up' : 'down'}">${isUp ? 'up' : 'does not answer'}</span>
  <a href="${name}${ownPrefixOf(name)}/_docs" aria-label="Documentation of ${name}">docs</a>
  <a href="${name}${ownPrefixOf(name)}/_openapi.json" aria-label="OpenAPI of ${name}">OpenAPI</a>
</li>`

const firstSentence = (text: string) => /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--accent:light-dark(#0b5cad,#7cb8ff)}
body{margin:0 auto;max-width:44rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}
a{color:var(--accent)}
ul{list-style:none;padding:0}
li{display:flex;gap:1rem;border-top:1px solid var(--line);padding:.5rem 0}
div{flex:1}
.up{color:light-dark(#176b34,#6fd394)}
.down{color:light-dark(#a3211a,#ff9a92);font-weight:700}`
