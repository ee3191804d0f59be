// Tests the OpenAPI document and the docs page that core makes of a component's declarations.
import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { api, type CoreEnv } from '#core/http/api'
import type { Description, Operation } from '#core/http/openapi'

const Size = z.object({ id: z.string(), w: z.int().optional().describe('In `px`, <b>not</b> more') })

const none = () => undefined

const drawn = { params: Size, open: true, produces: 'image/png' } as const

const version = { 'X-Version': { description: 'Of the protocol', required: true, example: '1.0' } } as const

const pictures = api<CoreEnv>({ name: 'pictures', title: 'Pictures', description: 'Has `pictures` & <more>.' })
  .get('/drawing/:id', { ...drawn, summary: 'Draw' }, none)
  .post('/drawing/:id', { ...drawn, summary: 'Draw' }, none)
  .get('/picture/:id', { summary: 'Describe', params: Size.pick({ id: true }), reply: { w: z.int() } }, none as never)
  .post(
    '/picture',
    {
      summary: 'Keep',
      params: z.object({ wait: z.boolean().default(false).describe('How long') }),
      raw: true,
      multipart: z.object({ file: z.file() }),
      reply: { count: z.int().max(9) },
      replies: {
        200: { description: 'Kept', headers: { 'X-Left': 'How many `more`' } },
        202: { description: 'Later', refusal: true },
      },
    },
    none as never,
  )
  .get(
    '/part/:id',
    { summary: 'Ask', params: Size, raw: true, head: true, headers: version, replies: { 200: { description: 'Far' } } },
    none,
  )
  .patch(
    '/part',
    {
      summary: 'Send',
      raw: true,
      takes: { type: 'application/part', required: true },
      headers: { ...version, 'X-Hint': { description: 'May be there' } },
      replies: { 204: { description: 'Kept' } },
    },
    none,
  )

const read = (path: string) =>
  pictures.fetch(new Request(`http://host${path}`), { OPEN: 'true' }, createExecutionContext())

const paths = async () => ((await (await read('/_openapi.json')).json()) as Description).paths
const page = async () => (await read('/_docs')).text()

it('describes replies by status in place of the usual one', async () => {
  const { '/picture': picture, '/part': part } = await paths()
  const kept = { properties: { content: { properties: { count: { maximum: 9 } } } } }
  expect(picture!.post!.responses).toMatchObject({
    200: {
      description: 'Kept',
      headers: { 'X-Left': { description: 'How many `more`' } },
      content: { 'application/json': { schema: kept } },
    },
    202: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
  })
  expect(part!.patch!.responses).toMatchObject({ 204: { description: 'Kept' }, 500: expect.anything() })
})

it('describes the headers and the raw body that are read', async () => {
  const { patch } = (await paths())['/part']!
  expect(patch!.parameters).toEqual([
    {
      ...{ name: 'X-Version', in: 'header', required: true, description: 'Of the protocol' },
      schema: { type: 'string', examples: ['1.0'] },
    },
    { name: 'X-Hint', in: 'header', required: false, description: 'May be there', schema: { type: 'string' } },
  ])
  expect(patch!.requestBody).toEqual({ required: true, content: { 'application/part': {} } })
})

it('describes as HEAD what answers in headers', async () => {
  const part = (await paths())['/part/{id}']!
  expect(Object.keys(part)).toEqual(['head'])
  expect(part.head!.operationId).toBe('pictures_head_part_id')
})

it('describes no body if all parameters are in the path, and the query for a file', async () => {
  const { '/picture/{id}': picture, '/drawing/{id}': drawing } = await paths()
  expect(picture!.get).not.toHaveProperty('requestBody')
  expect(drawing!.post!.parameters.map(({ name }) => name)).toEqual(['id', 'w'])
  expect(drawing!.post!.requestBody).toMatchObject({ required: false })
})

it('says nothing of the bounds that every double has', async () => {
  const { get } = (await paths())['/picture/{id}']!
  expect(JSON.stringify(get)).toContain('"w":{"type":"integer"}')
})

it('escapes text, and shows text in backticks as code', async () => {
  const shown = await page()
  expect(shown).toContain('Has <code>pictures</code> &amp; &lt;more&gt;.')
  expect(shown).toContain('In <code>px</code>, &lt;b&gt;not&lt;/b&gt; more')
})

it('shows commands with the headers and the body that are required', async () => {
  const shown = (await page()).replaceAll('&#39;', "'")
  expect(shown).toContain(
    "curl -i -X PATCH http://host/part -H 'X-Version: 1.0' -H 'Content-Type: application/part' --data-binary @file<",
  )
  expect(shown).toContain("curl -I http://host/part/{id} -H 'X-Version: 1.0'<")
  expect(shown).toContain('curl -X POST http://host/picture -F file=@file<')
})

it('shows what travels in the query beside a body', async () => {
  expect(await page()).toMatch(/<code>wait<\/code> \(query\)[\s\S]*How long/)
})

it('shows operations without credentials, binary bodies, and every reply', async () => {
  const shown = await page()
  expect(shown.match(/no credentials needed/g)).toHaveLength(2)
  expect(shown).toContain('<code>image/png</code>, binary')
  expect(shown).toContain('Reply 200, 202')
  expect(shown).toMatch(/<code>X-Left<\/code><\/td><td>How many <code>more<\/code>/)
})

it('describes who may call an operation: scope, bounds and proofs', async () => {
  const params = z.object({ shelf: z.string().optional(), book: z.string().optional() })
  const library = api<CoreEnv>({ name: 'library', title: 'Library', description: 'Has books.' })
    .get('/books', { level: 'read', summary: 'List', params, bindable: ['shelf'], selectors: ['book'] }, none)
    .get('/stream', { level: 'read', summary: 'Follow', tokenInQuery: true }, none)
    .post('/order', { level: 'write', summary: 'Order', proof: () => true, provenBy: 'a `voucher`' }, none)
    .post(
      '/return',
      { level: 'write', summary: 'Return', proof: () => true, provenBy: 'a stamp', onlyProven: true },
      none,
    )
    .delete('/books', { summary: 'Clear' }, none)
    .post('/token', { level: 'any', summary: 'Join' }, none)
    .get('/hours', { open: true, summary: 'Show the opening hours' }, none)
  const read = (path: string) =>
    library.fetch(new Request(`http://host${path}`), { OPEN: 'true' }, createExecutionContext())
  const { paths, security, components } = (await (await read('/_openapi.json')).json()) as Description
  const accessOf = ({
    security,
    'x-bindable': bindable,
    'x-selectors': selectors,
    'x-proven-by': provenBy,
  }: Operation) => ({
    security,
    ...(bindable && { bindable }),
    ...(selectors && { selectors }),
    ...(provenBy && { provenBy }),
  })
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, accessOf(operation)]),
  )
  const basic = { basic: [] }
  expect(Object.fromEntries(operations)).toEqual({
    'get /books': { security: [{ bearer: ['library:read'] }, basic], bindable: ['shelf'], selectors: ['book'] },
    'get /stream': { security: [{ bearer: ['library:read'] }, basic, { token: ['library:read'] }] },
    'post /order': { security: [{ bearer: ['library:write'] }, basic, {}], provenBy: 'a `voucher`' },
    'post /return': { security: [{}], provenBy: 'a stamp' },
    'delete /books': { security: [{ bearer: ['library:manage'] }, basic] },
    'post /token': { security: [{ bearer: [] }, basic] },
    'get /hours': { security: [] },
  })
  expect(security).toEqual([{ bearer: [] }, basic])
  expect(Object.keys(components.securitySchemes as object)).toEqual(['bearer', 'basic', 'token'])
  const html = await (await read('/_docs')).text()
  expect(html).toContain('Scope: <code>library:read</code>. Can be bound to: <code>shelf</code>.')
  expect(html).toContain('Also: a <code>voucher</code>.')
  expect(html).toContain('Only: a stamp.')
  expect(html.split('Scope: ')).toHaveLength(5)
})
