// Tests which links the server prints.
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { print, refusal, useServer } from './server.ts'
import { redirect, useSite } from './site.ts'

const server = useServer()

const hops = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((left) => [`/hop${left}`, redirect(left === 1 ? '/' : `/hop${left - 1}`)]),
)

const site = useSite({
  '/': '<p>There',
  ...hops,
  '/endless': redirect('/endless'),
  '/missing': (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here'),
  '/broken': (_request, response) => response.writeHead(500).end(),
  '/forbidden': (_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
  '/empty': (_request, response) => response.writeHead(204).end(),
  '/json': (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  '/text': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('text'),
  '/pdf': (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4'),
  '/zip': (_request, response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
  '/saved': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'attachment' }).end('<p>x'),
  '/untyped': (_request, response) => response.writeHead(200).end('<!doctype html><p>Sniffed'),
  '/xhtml': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/xhtml+xml' })
      .end('<html xmlns="http://www.w3.org/1999/xhtml"><body>X</body></html>'),
  '/latin': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' }).end(Buffer.from([0x41, 0xe4])),
  '/reset': (request) => request.socket.destroy(),
  '/garbage': (request) => request.socket.end('nonsense\r\n\r\n'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-data': redirect('data:text/html,x'),
})

it.each([
  ['/', 'There'],
  ['/hop5', 'There'],
  ['/untyped', 'Sniffed'],
  ['/xhtml', 'X'],
  ['/latin', 'Aä'],
])('prints %s', async (path, text) => {
  expect((await print(server, { link: site.url + path })).text).toBe(text)
})

it.each([
  ['/hop6', 'redirects too often'],
  ['/endless', 'redirects too often'],
  ['/missing', 'status 404'],
  ['/broken', 'status 500'],
  ['/forbidden', 'status 401'],
  ['/empty', 'did not return HTML'],
  ['/json', 'did not return HTML'],
  ['/text', 'did not return HTML'],
  ['/pdf', 'did not return HTML'],
  ['/zip', 'did not return HTML'],
  ['/saved', 'did not return HTML'],
  ['/reset', ''],
  ['/garbage', ''],
  ['/to-file', ''],
  ['/to-data', ''],
])('reports the reason for %s', async (path, message) => {
  const refused = await refusal(server, { link: site.url + path })
  expect(refused).toMatchObject({ http: 502, status_code: 'link_failed' })
  expect(refused.message).toContain(message)
  expect(refused.message).not.toMatch(/127|localhost|net::|ERR_/)
})

it.each([
  ['http://nowhere.invalid/', 'not found'],
  ['http://127.0.0.1:1/', 'not allowed'],
  ['http://127.0.0.1:2/', 'refused'],
  ['https://127.0.0.1:2/', 'refused'],
  ['http://[::1]:2/', 'refused'],
])('reports the reason for %s', async (link, message) => {
  const refused = await refusal(server, { link })
  expect(refused).toMatchObject({ http: 502, status_code: 'link_failed' })
  expect(refused.message).toContain(message)
})

it('does not print its own server', async () => {
  const own = new URL(server.url).port
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.0.0.2', '[::ffff:127.0.0.1]']
  const refused = await Promise.all(hosts.map((host) => refusal(server, { link: `http://${host}:${own}/health` })))
  for (const [i, said] of refused.entries())
    expect([hosts[i], said]).toMatchObject([hosts[i], { http: 502, message: 'The address is not allowed' }])
})

it('rejects a server without a valid certificate', async () => {
  const tls = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write('nonsense\r\n')))
  await new Promise<void>((resolve) => tls.listen(0, resolve))
  onTestFinished(() => void tls.close())
  const address = tls.address()
  const port = typeof address === 'object' ? address?.port : 0
  expect(await refusal(server, { link: `https://127.0.0.1:${port}/` })).toMatchObject({
    http: 502,
    message: 'The connection is not secure',
  })
})
