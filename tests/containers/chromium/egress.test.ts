// Tests the egress proxy of documents: which targets it connects to and which it refuses, however they are written.
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Egress } from '../../../containers/chromium/egress/egress.ts'
import { checkAddress, checkHost, type EgressRule } from '../../../containers/chromium/egress/rule.ts'
import { type NameServer, useNameServer, type Zone } from './name-server.ts'

/** Addresses that must be refused: loopback, private, link-local, shared, multicast, reserved, and IPv4 in IPv6. */
const closed = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:a00:1::'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1'],
]

const open = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00::1',
  '64:ff9b::808:808',
]

const publicOnly: EgressRule = { allowPrivate: false, nameServers: [], ownPorts: new Set() }

describe('the address rule', () => {
  it.each(closed)('refuses %s', (address) => {
    expect(() => checkAddress(address, 443, publicOnly)).toThrow('not allowed')
  })

  it.each(open)('allows %s', (address) => {
    expect(() => checkAddress(address, 443, publicOnly)).not.toThrow()
  })

  it('refuses the addresses of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    for (const { address } of own) expect(() => checkAddress(address, 443, publicOnly)).toThrow('not allowed')
  })

  it('refuses the ports of this server, even if private addresses are allowed', () => {
    const rule = { ...publicOnly, allowPrivate: true, ownPorts: new Set([5]) }
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::', '0.0.0.0', '::ffff:127.0.0.1', ...own]) {
      expect(() => checkAddress(address, 5, rule)).toThrow('not allowed')
      expect(() => checkAddress(address, 6, rule)).not.toThrow()
    }
    expect(() => checkAddress('10.9.8.7', 5, rule)).not.toThrow()
  })

  it.each([
    ...['localhost', 'a.localhost', 'LOCALHOST', 'localhost.', 'router', 'metadata.google.internal', 'printer.local'],
    ...['a.test', 'a.example', 'a.invalid', 'a.onion', '1.0.0.127.in-addr.arpa', 'a.lan', 'a..com', 'a.home.arpa'],
  ])('refuses the name %s', (host) => {
    expect(() => checkHost(host, publicOnly)).toThrow('not allowed')
  })

  it('refuses any IPv4 address of a private network, unless private addresses are allowed', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 240, 255), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    )
    fc.assert(
      fc.property(address, fc.constantFrom('', '::ffff:', '64:ff9b::'), (bytes, prefix) => {
        const text = prefix + bytes.join('.')
        expect(() => checkAddress(text, 80, publicOnly)).toThrow('not allowed')
        expect(() => checkAddress(text, 80, { ...publicOnly, allowPrivate: true })).not.toThrow()
      }),
    )
  })
})

/** A server on all addresses of this machine that counts its connections and visits. */
const target = { visits: [] as string[], connections: 0, port: 0 }
let server: Server

beforeAll(async () => {
  server = createHttpServer((request, response) => {
    target.visits.push(`${request.socket.localAddress} ${request.headers.host}${request.url}`)
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    if (request.method === 'POST') request.pipe(response)
    else response.end(JSON.stringify(request.rawHeaders))
  })
  server.on('connection', () => target.connections++)
  server.listen(0)
  await once(server, 'listening')
  target.port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Address of the name `rebinding.example.com`, which a test changes (DNS rebinding). */
let rebound = '127.0.0.1'

const zone: Zone = {
  'site.example.com': () => ['127.0.0.1'],
  'six.example.com': () => ['::1'],
  'private.example.com': () => ['10.0.0.1', 'fd00::1'],
  'loop.example.com': () => ['127.0.0.1'],
  'mixed.example.com': () => ['1.1.1.1', '127.0.0.1'],
  'mixed-six.example.com': () => ['1.1.1.1', '::1'],
  'mapped.example.com': () => ['::ffff:127.0.0.1'],
  'alias.example.com': () => [{ alias: 'other.example.com' }, '127.0.0.1'],
  'alias-only.example.com': () => [{ alias: 'localhost' }],
  'rebinding.example.com': () => [rebound],
  'metadata.example.com': () => ['169.254.169.254'],
  'never.example.com': () => null,
  'late.example.com': (count) => (count === 0 ? null : ['127.0.0.1']),
  'nothing.example.com': () => [],
}

const names: NameServer = useNameServer(zone)

async function openEgress(rule: Partial<EgressRule> = {}, traffic = 1e9): Promise<Egress> {
  const egress = await Egress.open(
    { ...publicOnly, ownPorts: new Set(), nameServers: [names.address], ...rule },
    traffic,
  )
  onTestFinished(() => egress.close())
  return egress
}

/** Sends a raw request to the proxy. Returns its reply, to the end of the connection or, for a tunnel, of the head. */
async function say(egress: Egress, request: string): Promise<string> {
  const socket = connect(egress.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(request)
  let reply = ''
  const isTunnel = request.startsWith('CONNECT')
  for await (const chunk of socket) {
    reply += chunk
    if (isTunnel && reply.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return reply
}

const tunnel = (egress: Egress, authority: string) =>
  say(egress, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)

const fetchBy = (egress: Egress, url: string, more = '') =>
  say(egress, `GET ${url} HTTP/1.1\r\nHost: whatever\r\nConnection: close\r\n${more}\r\n`)

describe('the proxy', () => {
  const spellings = [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
    ],
    ...['0', '0.0.0.0', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00::1]', '10.1', '0xa9fea9fe', '2852039166'],
    ...[
      '169.254.169.254',
      'localhost',
      'LocalHost.',
      'a.localhost',
      '１２７.０.０.１',
      '127。0。0。1',
      '⑫⑦.0.0.1',
      '%31%32%37.0.0.1',
    ],
    ...[
      '[fe80::1%25eth0]',
      'user@127.0.0.1',
      '1.1.1.1@127.0.0.1',
      '127.0.0.1#@1.1.1.1',
      '0x7f.0x0.0x0.0x1',
      '127.0.0.1\\@1.1.1.1',
    ],
    ...['private.example.com', 'loop.example.com', 'mixed.example.com', 'mixed-six.example.com', 'mapped.example.com'],
    ...[
      'alias.example.com',
      'alias-only.example.com',
      'rebinding.example.com',
      'metadata.example.com',
      'nothing.example.com',
    ],
    ...['unknown.example.com', '', '.', 'a', 'a..example.com', `${'a'.repeat(300)}.example.com`, 'exa mple.com'],
  ]

  it.each(spellings)('does not connect to %s', async (host) => {
    const egress = await openEgress()
    const before = target.connections
    for (const reply of await Promise.all([
      tunnel(egress, `${host}:${target.port}`),
      fetchBy(egress, `http://${host}:${target.port}/`),
    ]))
      expect(reply).toMatch(/^(HTTP\/1\.1 (400|502) |$)/)
    expect(target.connections).toBe(before)
  })

  it('rejects all but proxy requests', async () => {
    const egress = await openEgress({ allowPrivate: true })
    for (const url of ['/', '*', 'https://site.example.com/', 'file:///etc/passwd', 'ftp://site.example.com/', 'http:'])
      expect(await fetchBy(egress, url)).toMatch(/^$|^HTTP\/1\.1 (400|502)/)
    for (const garbage of ['\0\0\0\0\r\n\r\n', 'GET\r\n\r\n', `GET / HTTP/1.1\r\nA: ${'x'.repeat(70_000)}\r\n\r\n`])
      expect(await say(egress, garbage)).toMatch(/^$|^HTTP\/1\.1 (4|5)/)
  })

  it('connects to private addresses if they are allowed', async () => {
    const egress = await openEgress({ allowPrivate: true })
    const { port } = target
    for (const host of ['site', 'six', 'alias', 'mapped', 'late']) {
      expect(await fetchBy(egress, `http://${host}.example.com:${port}/${host}`)).toMatch(/^HTTP\/1\.1 200/)
      expect(target.visits.at(-1)).toContain(` ${host}.example.com:${port}/${host}`)
    }
    expect(await tunnel(egress, `site.example.com:${port}`)).toMatch(/^HTTP\/1\.1 200/)
  })

  it('connects to the checked address, and resolves the name again for each connection', async () => {
    const egress = await openEgress({ allowPrivate: true })
    const url = `http://rebinding.example.com:${target.port}/`
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      names.questions.length = 0
      rebound = address
      expect(await fetchBy(egress, url)).toMatch(/^HTTP\/1\.1 200/)
      expect(target.visits.at(-1)).toMatch(new RegExp(`^(::ffff:)?${address} `))
      expect(names.questions).toContain('A rebinding.example.com')
    }
  })

  it('forwards the body and all end-to-end headers', async () => {
    const egress = await openEgress({ allowPrivate: true })
    const url = `http://site.example.com:${target.port}/?a=1`
    const reply = await fetchBy(egress, url, 'X-Mine: 1\r\nProxy-Authorization: secret\r\nProxy-Connection: x\r\n')
    expect(reply.toLowerCase()).toContain('"x-mine","1"')
    expect(reply.toLowerCase()).not.toContain('proxy-')
    expect(reply.match(/set-cookie: .=./gi)?.length).toBe(2)
    const length = 100_000
    const posted = await say(
      egress,
      `POST ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${'b'.repeat(length)}`,
    )
    expect(posted.match(/b+\s*$|b{1000,}/g)?.join('').length).toBeGreaterThan(60_000)
  })

  it('reports why a target was not reached', async () => {
    const egress = await openEgress({ allowPrivate: true })
    await Promise.all(['http://unknown.example.com/', 'http://site.example.com:1/'].map((url) => fetchBy(egress, url)))
    expect(egress.failureOf('http://unknown.example.com/x')).toBe('The name was not found')
    expect(egress.failureOf('http://site.example.com:1/')).toBe('The connection was refused or broke')
    expect(egress.failureOf('http://site.example.com/')).toBeUndefined()
    expect(egress.failureOf('nonsense')).toBeUndefined()
  })

  it('times out without an answer', async () => {
    const egress = await openEgress({ allowPrivate: true })
    expect(await tunnel(egress, 'never.example.com:80')).toMatch(/^HTTP\/1\.1 502/)
    expect(egress.failureOf('http://never.example.com:80/')).toBe('The address did not answer in time')
  })

  it('stops at the traffic limit', async () => {
    const flood = createServer((socket: Socket) => {
      socket.on('error', () => {})
      const more = () => {
        while (socket.write(Buffer.alloc(10_000)));
      }
      socket.on('drain', more)
      more()
    })
    flood.listen(0, '127.0.0.1')
    await once(flood, 'listening')
    onTestFinished(() => void flood.close())
    const egress = await openEgress({ allowPrivate: true }, 1_000_000)
    const { port } = flood.address() as AddressInfo
    const socket = connect(egress.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`CONNECT site.example.com:${port} HTTP/1.1\r\n\r\n`)
    let size = 0
    for await (const chunk of socket) size += chunk.length
    expect(size).toBeLessThan(3_000_000)
    expect(await tunnel(egress, `site.example.com:${port}`)).toMatch(/^HTTP\/1\.1 502/)
  })

  it('closes all connections when it ends', async () => {
    const egress = await openEgress({ allowPrivate: true })
    const socket = connect(egress.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`CONNECT site.example.com:${target.port} HTTP/1.1\r\n\r\n`)
    await once(socket, 'data')
    const { port } = egress
    egress.close()
    await once(socket, 'close')
    const [error] = await once(connect(port, '127.0.0.1'), 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })
})
