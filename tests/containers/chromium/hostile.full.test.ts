// Tests documents that try to reach files, other sites and the browser's own pages: they fail to, they are printed, and
// so is the next document.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, expectToWork, health, print, useServer } from './server.ts'
import { redirect, useSite } from './site.ts'

const server = useServer({ PAGES: '2' })

const site = useSite({
  '/': '<p>Here',
  '/again': '<p>Again<meta http-equiv=refresh content="0">',
  '/away': '<p>Away<script>location = "/"</script>',
  '/endless': redirect('/endless'),
  '/frames': '<p>In<iframe src="/frames?"></iframe><iframe src="/endless"></iframe><img src="/endless">',
  '/service':
    '<p id=a><script>a.append("[" + ("serviceWorker" in navigator) + "]"); navigator.serviceWorker?.register("/worker.js")</script>',
  '/worker.js': (_request, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(''),
  '/download': (_request, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' }).end(Buffer.alloc(1000)),
})

const here = (html: string) => html.replaceAll('PORT', String(site.port))

describe('prints a document', () => {
  it.each([
    ['with dialogs', '<p id=a>D<script>alert(1); a.append(confirm(2), prompt(3)); print()</script>', /^Dtrue/],
    [
      'that asks before it unloads',
      '<p>B<script>onbeforeunload = (e) => { e.preventDefault(); return 1 }</script>',
      /^B$/,
    ],
    [
      'that opens windows',
      '<p>W<script>for (i = 0; i < 20; i++) open("http://127.0.0.1:PORT/popup" + i)</script>',
      /^W$/,
    ],
    [
      'that clicks on a link to a new window',
      '<p>C<a id=l target=_blank href="http://127.0.0.1:PORT/popup">.</a><script>l.click()</script>',
      /^C/,
    ],
    [
      'that submits a form elsewhere',
      '<p>F<form id=f target=_blank action="http://127.0.0.1:PORT/form"></form><script>f.submit()</script>',
      /^F$/,
    ],
    [
      'that downloads',
      '<p>L<a id=l download href="http://127.0.0.1:PORT/download">.</a><script>l.click()</script>',
      /^L/,
    ],
    ['with a file in a frame', '<p>1<iframe src="file:///etc/passwd"></iframe>', /^1$/],
    ['with a browser page in a frame', '<p>2<iframe src="chrome://version"></iframe>', /^2$/],
    ['with a source view in a frame', '<p>3<iframe src="view-source:http://127.0.0.1:PORT/"></iframe>', /^3$/],
    ['that navigates to a file', '<p>4<script>location = "file:///etc/passwd"</script>', /^4$/],
    ['that navigates to a browser page', '<p>5<script>location = "chrome://version"</script>', /^5$/],
    ['that navigates to a source view', '<p>6<script>location = "view-source:http://127.0.0.1:PORT/"</script>', /^6$/],
    ['that navigates to a data URL', '<p>7<script>location = "data:text/html,no"</script>', /^7$/],
    [
      'with a PDF in it',
      '<p>8<embed type="application/pdf" src="data:application/pdf,x"><object data="http://127.0.0.1:PORT/download" type="application/pdf">.</object>',
      /^8/,
    ],
    ['with a custom protocol', '<p>9<script>location = "mailto:a@b.c"</script>', /^9$/],
    [
      'that requests full screen and permissions',
      '<p>0<script>document.body.requestFullscreen(); navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ audio: true })</script>',
      /^0$/,
    ],
    ['with a frame in a frame in itself', '<p>N<iframe src="http://127.0.0.1:PORT/frames"></iframe>', /^N/],
    ['without content', '</html><!--', /^$/],
    ['with NULs and unpaired surrogates', '<p>Z\u0000\ud800<p>', /^Z/],
  ])('%s', async (_what, html, text) => {
    const { text: printed, texts } = await print(server, { html: here(html) })
    expect(printed).toMatch(text)
    expect(printed).not.toContain('root:')
    expect(texts.length).toBe(1)
  })

  it('that refreshes itself', async () => {
    expect((await print(server, { link: `${site.url}/again` })).text).toBe('Again')
  })

  it('that a script navigates to', async () => {
    expect((await print(server, { link: `${site.url}/away` })).text).toMatch(/^(Here|Away)$/)
  })

  it('of 16 MB', async () => {
    const html = `<p>Large</p><!--${'x'.repeat(16_000_000)}-->`
    expect((await print(server, { html })).text).toBe('Large')
  })

  it('without service workers', async () => {
    const link = site.url.replace('127.0.0.1', 'localhost')
    expect((await print(server, { link: `${link}/service` })).text).toBe('[false]')
    expect(site.visits).not.toContain('/worker.js')
  })
})

it('opens no windows, and leaves no files', () => {
  expect(site.visits.filter((path) => path.startsWith('/popup'))).toEqual([])
  expect(existsSync('x.bin')).toBe(false)
})

it('sends no packets past the proxy', async () => {
  const received: string[] = []
  const udp = createSocket('udp4', (message) => received.push(message.toString('hex')))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  onTestFinished(() => void udp.close())
  const { port } = udp.address()
  const html = `<link rel=dns-prefetch href="//127.0.0.1:${port}"><link rel=preconnect href="https://127.0.0.1:${port}"><p id=a>R<script>
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] })
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    peer.onicecandidate = ({ candidate }) => candidate && a.append(candidate.candidate)
    self.WebTransport && new WebTransport('https://127.0.0.1:${port}/').ready.catch(() => {})
    new Worker(URL.createObjectURL(new Blob(['fetch("${site.url}/from-worker")'])))
    setTimeout(() => { document.body.id = 'done' }, 2000)
  </script>`
  expect((await print(server, { html, wait_for: 'selector:#done' })).text).toBe('R')
  expect(received).toEqual([])
})

it('is idle after all documents, and prints the next one', async () => {
  await expectToWork(server)
  await eventually(async () => expect(await health(server)).toMatchObject({ busy: 0 }))
})
