import { html, raw } from 'hono/html'
import { coreErrors, type ErrorDefinition } from '#core/errors'
import { curl, type ParameterRow } from './curl.ts'
import type { Described, MediaTypes } from './described.ts'
import type { Description, Operation } from './openapi.ts'
import { scopeOf } from './security.ts'

type Json = Record<string, unknown>

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
}

/** Renders an OpenAPI document as an HTML page without scripts and external files. */
export async function docs(description: Description): Promise<Response> {
  const { info, servers, paths, components } = description
  const shared: Shared = components?.responses ?? {}
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, base: servers[0]!.url, shared })),
  )
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${info.title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>${info.title} <small>${info.version}</small></h1>
          <p>${prose(info.description)}</p>
          <p><code>${servers[0]!.url}</code> · <a href="_openapi.json">OpenAPI</a></p>
          <p>Send parameters in a JSON body or in the query string, with every method.</p>
          <p>An error is <code>{"status": false, "status_code": "…", "message": "…"}</code>, with <code>errors</code> by parameter if some are not valid. <a href="#errors">All error codes</a></p>
        </header>
        <nav>
          <ul>
            ${operations.map(({ path, method, operation }) => html`<li><a href="#${operation.operationId}"><b>${method}</b> ${path}</a></li>`)}
          </ul>
        </nav>
        <main>${operations.map(section)}${errorTable(errorsIn(operations, shared))}</main>
      </body>
    </html>`
  return new Response(await page, { headers })
}

interface Section {
  path: string
  method: string
  operation: Operation
  base: string
  shared: Shared
}

/** The shared responses of the document, by name. */
type Shared = Record<string, Described>

type Codes = Record<string, ErrorDefinition>

/** The error codes of a response for the docs page, with their documentation. A response of a success has none. */
const codesOf = ({ $ref, 'x-errors': own }: Described, shared: Shared): Codes =>
  own ?? shared[$ref?.split('/').at(-1) ?? '']?.['x-errors'] ?? {}

const { route_not_found, method_not_allowed, metrics_off } = coreErrors

/** All error codes of the document, sorted by code, including the three that any path may return. */
function errorsIn(operations: Section[], shared: Shared): [string, ErrorDefinition][] {
  const responses = operations.flatMap(({ operation }) => Object.values(operation.responses))
  const all: Codes = Object.assign(
    { route_not_found, method_not_allowed, metrics_off },
    ...responses.map((response) => codesOf(response, shared)),
  )
  return Object.entries(all).toSorted(([one], [other]) => one.localeCompare(other))
}

const errorTable = (errors: [string, ErrorDefinition][]) => html`<section id="errors">
  <h2>Error codes</h2>
  <table>
    <tr><th>Code</th><th>Status</th><th>Cause</th><th>Remedy</th></tr>
    ${errors.map(([code, { status, cause, remedy }]) => html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${prose(cause)}</td><td>${prose(remedy)}</td></tr>`)}
  </table>
</section>`

const errorRow = ([status, codes]: [string, Codes]) => html`<tr>
  <td>${status}</td>
  <td>${Object.keys(codes).map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}</td>
</tr>`

const section = ({ path, method, operation, base, shared }: Section) => {
  const rows = rowsOf(operation)
  const responses = Object.entries(operation.responses)
  const errors = responses.map(([status, response]): [string, Codes] => [status, codesOf(response, shared)])
  const replies = responses.filter(([status, { $ref }]) => status !== 'default' && !$ref)
  return html`<section id="${operation.operationId}">
    <h2><b>${method}</b> ${isPage(operation) ? html`<a href="${base + path}">${path}</a>` : path}${isOpen(operation) ? html` <small>no credentials needed</small>` : ''}</h2>
    <p>${prose(operation.summary)}.${operation.description ? html` ${prose(operation.description)}` : ''}</p>
    ${access(operation)}
    ${rows.length > 0 ? html`<table>${rows.map(row)}</table>` : ''}
    <pre>${curl(base + path, method, operation, rows)}</pre>
    <details><summary>Reply ${replies.map(([status]) => status).join(', ')}</summary>${replies.map(answer)}</details>
    <details><summary>Errors</summary><table>${errors.filter(([, codes]) => Object.keys(codes).length > 0).map(errorRow)}</table></details>
  </section>`
}

const isOpen = ({ security }: Operation) => security.length === 0

/** The access that an operation needs: the scope, the parameters to which credentials can be bound, and other ways in. */
function access(operation: Operation) {
  const { security, 'x-bindable': bindable = [], 'x-selectors': selectors = [], 'x-proven-by': provenBy } = operation
  const scope = scopeOf(operation)
  const lines = [
    scope && `Scope: \`${scope}\`.`,
    bindable.length > 0 && `Can be bound to: ${quoted(bindable)}.`,
    selectors.length > 0 && `Refused with bounds: ${quoted(selectors)}.`,
    security.some(({ token }) => token) && 'Also: a token in `?token=`.',
    provenBy && `${scope ? 'Also' : 'Only'}: ${provenBy}.`,
  ].filter(Boolean)
  return lines.length > 0 ? html`<p>${prose(lines.join(' '))}</p>` : ''
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const isPage = ({ responses }: Operation) => Object.hasOwn(responses['200']?.content ?? {}, 'text/html')

/**
 * The rows of an operation's table of parameters. A parameter that may be in the body or in the query is one row; a
 * binary body is one row too.
 */
function rowsOf({ parameters, requestBody }: Operation): ParameterRow[] {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const { properties = {}, required = [] } = (content?.schema ?? {}) as { properties?: Json; required?: string[] }
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: schema as Json,
    required: required.includes(name),
  }))
  const isShown = ({ name, in: where }: Operation['parameters'][number]) =>
    where === 'path' || (where === 'query' && !Object.hasOwn(properties, name))
  return [
    ...parameters.filter(isShown).map(toRow),
    ...(type && !content?.schema ? [{ name: 'body', schema: { type }, required: requestBody!.required }] : fields),
    ...parameters.filter(({ in: where }) => where === 'header').map(toRow),
  ]
}

const toRow = ({ name, schema, required, description, in: where }: Operation['parameters'][number]): ParameterRow => ({
  name,
  schema: { ...(description && { description }), ...schema },
  required,
  where,
})

const row = ({ name, schema, required, where }: ParameterRow) => html`<tr>
  <td><code>${name}</code>${where ? ` (${where})` : ''}</td>
  <td>${typeOf(schema)}</td>
  <td>${required ? 'required' : schema.default === undefined ? 'optional' : html`default <code>${JSON.stringify(schema.default)}</code>`}</td>
  <td>${prose(schema.description)}</td>
</tr>`

function typeOf(schema: Json): string {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one as Json)).join(' or ')
  if (schema.format === 'binary') return 'file'
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(', ')
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as Json)}`
  return [schema.type ?? 'any JSON'].flat().join(' or ')
}

const answer = ([status, { description, headers, content = {} }]: [string, Described]) => html`
  <p><b>${status}</b> ${prose(description)}</p>
  ${headers ? html`<table>${Object.entries(headers).map(header)}</table>` : ''}
  ${Object.entries(content).map(body)}`

const header = ([name, { description }]: [string, { description: string }]) =>
  html`<tr><td><code>${name}</code></td><td>${prose(description)}</td></tr>`

function body([type, { schema }]: [string, MediaTypes[string]]) {
  if (!schema) return html`<p><code>${type}</code>${type.startsWith('text/') ? '' : ', binary'}</p>`
  return schema.$ref ? html`<p>The body is an error object.</p>` : html`<pre>${JSON.stringify(schema, null, 2)}</pre>`
}

/** Renders a text as HTML, with `code` for text in backticks. */
const prose = (text: unknown) =>
  String(text ?? '')
    .split('`')
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--accent:light-dark(#0b5cad,#7cb8ff)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
nav ul{columns:18rem;list-style:none;padding:0}
nav b,h2 b{text-transform:uppercase;font:700 .75em/1 ui-monospace,monospace;color:var(--accent);margin-right:.25em}
section{border-top:1px solid var(--line);padding:1rem 0}
h2{font-size:1.1rem;margin:0}
h2 small{font-weight:400;border:1px solid var(--line);border-radius:6px;padding:.1rem .4rem;margin-left:.5em}
table{border-collapse:collapse;width:100%;font-size:.9rem;display:block;overflow-x:auto}
th{text-align:left}
td{border-top:1px solid var(--line);padding:.3rem .8rem .3rem 0;vertical-align:top}
pre{overflow-x:auto;padding:.75rem;border:1px solid var(--line);border-radius:6px;font-size:.85rem}
code,pre{font-family:ui-monospace,monospace}`
