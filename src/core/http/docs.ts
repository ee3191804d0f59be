import { html, raw } from 'hono/html'
import type { Description, Operation } from './openapi.ts'

type Json = Record<string, unknown>

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
}

/** An OpenAPI document as a page that needs no script and no network. */
export async function docs(description: Description): Promise<Response> {
  const { info, servers, paths } = description
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, base: servers[0]!.url })),
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
          <p>${info.description}</p>
          <p><code>${servers[0]!.url}</code> · <a href="_openapi.json">OpenAPI</a></p>
          <p>Parameters travel in a JSON body or in the query, on every method.</p>
        </header>
        <nav>
          <ul>
            ${operations.map(({ path, method, operation }) => html`<li><a href="#${operation.operationId}"><b>${method}</b> ${path}</a></li>`)}
          </ul>
        </nav>
        <main>${operations.map(section)}</main>
      </body>
    </html>`
  return new Response(await page, { headers })
}

interface Section {
  path: string
  method: string
  operation: Operation
  base: string
}

const section = ({ path, method, operation, base }: Section) => {
  const schema = (operation.requestBody?.content['application/json']?.schema ?? {}) as Json
  const rows = [
    ...operation.parameters.filter((parameter) => parameter.in !== 'query').map(toRow),
    ...rowsOf(schema, operation),
  ]
  const [status, success] = Object.entries(operation.responses)[0]!
  return html`<section id="${operation.operationId}">
    <h2><b class="${method}">${method}</b> ${path}</h2>
    <p>${operation.summary}.${operation.description ? ` ${operation.description}` : ''}</p>
    ${rows.length > 0 ? html`<table>${rows.map(row)}</table>` : ''}
    <pre>${curl(base, path, method, rows)}</pre>
    <details><summary>Reply ${status}</summary><pre>${JSON.stringify(success.content, null, 2)}</pre></details>
  </section>`
}

interface Row {
  name: string
  schema: Json
  required: boolean
  where?: string
}

const toRow = ({ name, schema, required, in: where }: Operation['parameters'][number]): Row => ({
  name,
  schema,
  required,
  where,
})

/** The parameters of the body, or of the query of an endpoint that reads none. */
function rowsOf({ properties, required = [] }: Json, { parameters }: Operation): Row[] {
  if (!properties) return parameters.filter((parameter) => parameter.in === 'query').map(toRow)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: schema as Json,
    required: (required as string[]).includes(name),
  }))
}

const row = ({ name, schema, required, where }: Row) => html`<tr>
  <td><code>${name}</code>${where ? ` (${where})` : ''}</td>
  <td>${typeOf(schema)}</td>
  <td>${required ? 'required' : schema.default === undefined ? 'optional' : html`default <code>${JSON.stringify(schema.default)}</code>`}</td>
  <td>${schema.description ?? ''}</td>
</tr>`

function typeOf(schema: Json): string {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one as Json)).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(', ')
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as Json)}`
  return typeof schema.type === 'string' ? schema.type : 'any JSON'
}

function curl(base: string, path: string, method: string, rows: Row[]) {
  const body = Object.fromEntries(
    rows.filter(({ required, where }) => required && !where).map(({ name, schema }) => [name, exampleOf(schema)]),
  )
  const data = Object.keys(body).length > 0 ? ` -d '${JSON.stringify(body)}'` : ''
  return `curl -X ${method.toUpperCase()} ${base}${path}${data}`
}

function exampleOf(schema: Json): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Json)
  if (schema.type === 'array') return [exampleOf((schema.items ?? {}) as Json)]
  return { integer: 1, number: 1.5, boolean: true, string: 'text', object: {} }[String(schema.type)] ?? {}
}

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--accent:light-dark(#0b5cad,#7cb8ff)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
nav ul{columns:18rem;list-style:none;padding:0}
nav b,h2 b{text-transform:uppercase;font:700 .75em/1 ui-monospace,monospace;color:var(--accent);margin-right:.25em}
section{border-top:1px solid var(--line);padding:1rem 0}
h2{font-size:1.1rem;margin:0}
table{border-collapse:collapse;width:100%;font-size:.9rem;display:block;overflow-x:auto}
td{border-top:1px solid var(--line);padding:.3rem .8rem .3rem 0;vertical-align:top}
pre{overflow-x:auto;padding:.75rem;border:1px solid var(--line);border-radius:6px;font-size:.85rem}
code,pre{font-family:ui-monospace,monospace}`
