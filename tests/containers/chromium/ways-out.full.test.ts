// Tests every way in which a document can load something: each goes through the egress proxy, and nothing arrives where
// the proxy refuses.
import { expect, it } from 'vitest'
import { useNameServer } from './name-server.ts'
import { print, refusal, useServer } from './server.ts'
import { redirect, useSite } from './site.ts'

const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'].map(
  (name) => `${name}.example.com`,
)

const names = useNameServer({
  ...Object.fromEntries(hosts.map((host) => [host, () => ['127.0.0.1']])),
  // A name with one public and one private address. A browser that resolved it itself might choose the private one.
  'mixed.example.com': () => ['127.0.0.1', '1.1.1.1'],
})

const site = useSite({
  '/': '<p>There',
  '/redirect': redirect('/redirected'),
  '/redirected': '<p>Redirected',
})

const open = useServer(() => ({ NAME_SERVERS: names.address }))
const closed = useServer(() => ({ NAME_SERVERS: names.address, ALLOW_PRIVATE_TARGETS: '' }))

/** A document that tries every way, each with its own host and path, and ends when all attempts have ended. */
const document = () => {
  const at = (i: number, path: string) => `//${hosts[i]}:${site.port}/${path}`
  return `<!doctype html>
    <link rel=stylesheet href="http:${at(0, 'style')}"><img src="http:${at(1, 'image')}">
    <iframe src="http:${at(2, 'frame')}"></iframe><object data="http:${at(3, 'object')}"></object>
    <style>@font-face { font-family: f; src: url(http:${at(4, 'font')}) } p { font-family: f; background: url(http:${at(5, 'background')}) }</style>
    <script src="http:${at(6, 'script')}"></script><video src="http:${at(7, 'video')}" preload=auto></video>
    <iframe src="http:${at(8, 'redirect')}"></iframe><p id=a>Tried</p>
    <script type=module>
      const frame = () => new Promise((end) => requestAnimationFrame(end))
      const video = document.querySelector('video')
      const ways = [
        // Loads that belong to the drawing of the page. No script waits for them, only the page itself.
        frame().then(frame).then(() => document.fonts.load('9px f')),
        new Promise((end) => { document.readyState === 'complete' ? end() : addEventListener('load', end) }),
        new Promise((end) => { video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE ? end() : video.onerror = end }),
        fetch('http:${at(9, 'fetch')}', { mode: 'no-cors' }),
        new Promise((end) => { const x = new XMLHttpRequest(); x.open('GET', 'http:${at(10, 'xhr')}'); x.onloadend = end; x.send() }),
        new Promise((end) => { const s = new WebSocket('ws:${at(11, 'socket')}'); s.onclose = s.onerror = end }),
        new Promise((end) => { const s = new EventSource('http:${at(12, 'events')}'); s.onerror = end }),
        new Promise((end) => { const w = new Worker(URL.createObjectURL(new Blob(['fetch("http:${at(13, 'worker')}", { mode: "no-cors" }).finally(() => postMessage(1))']))); w.onmessage = end }),
      ]
      navigator.sendBeacon('http:${at(9, 'beacon')}')
      await Promise.allSettled(ways)
      a.id = 'done'
    </script>`
}

const ways = ['style', 'image', 'frame', 'object', 'font', 'background', 'script', 'video', 'redirect', 'redirected']
const scripted = ['fetch', 'xhr', 'socket', 'events', 'worker', 'beacon']

it('a document reaches every address if private ones are allowed', async () => {
  await print(open, { html: document(), wait_for: 'selector:#done' })
  for (const way of [...ways, ...scripted]) await expect.poll(() => site.visits).toContain(`/${way}`)
})

it('a document reaches no private address by any means', async () => {
  site.visits.length = 0
  names.questions.length = 0
  const { text } = await print(closed, { html: document(), wait_for: 'selector:#done' })
  expect(text).toContain('Tried')
  for (const host of hosts) expect(names.questions).toContain(`A ${host}`)
  expect(site.visits).toEqual([])
})

it('follows no link to a private address, in any spelling', async () => {
  site.visits.length = 0
  const hosts = ['a.example.com', 'mixed.example.com', '127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]']
  const all = [...hosts, 'localhost', 'a.localhost', '127。0。0。1', '169.254.169.254'].flatMap((host) => [
    `http://${host}:${site.port}/`,
    `https://${host}:${site.port}/`,
  ])
  const refused = await Promise.all(all.map((link) => refusal(closed, { link })))
  for (const [i, said] of refused.entries())
    expect([all[i], said]).toMatchObject([all[i], { http: 502, message: 'The address is not allowed' }])
  expect(site.visits).toEqual([])
})

it('reports that a name was not found', async () => {
  for (const link of ['http://unknown.example.com/', 'https://unknown.example.com/'])
    expect(await refusal(closed, { link })).toMatchObject({ http: 502, message: 'The name was not found' })
})

it('lets Chromium resolve no names by itself', async () => {
  names.questions.length = 0
  const html =
    '<link rel=dns-prefetch href="//prefetched.example.com"><link rel=preconnect href="https://k.example.com"><p>x'
  await print(closed, { html, wait_for: 'networkidle' })
  expect(names.questions.filter((one) => !one.endsWith(' k.example.com'))).toEqual([])
})
