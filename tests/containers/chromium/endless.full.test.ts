// Tests documents that never end: each times out, and the server prints the next document.
import { afterAll, describe, it } from 'vitest'
import { eventually, expectToWork, post, useServer } from './server.ts'
import { redirect, useSite } from './site.ts'

// The time limit is shorter than a busy machine may need, so all documents here may time out, except the last one.
const server = useServer({ MAX_SECONDS: '4', MAX_PDF: '100000', MAX_TRAFFIC: '20000000', PAGES: '4' })

const site = useSite({
  '/silent': () => {},
  '/round': '<script>location = "/round?" + Math.random()</script>',
  '/endless': redirect('/endless'),
  '/flood': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const flood = () => {
      while (!response.destroyed && response.write('<p>x</p>'.repeat(10_000)));
    }
    response.on('drain', flood)
    flood()
  },
  '/drip': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>Drip')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
})

const late = [504]

describe.concurrent('a document ends in time', () => {
  it.for<[string, object, number[]]>([
    ['an endless script', { html: '<script>for (;;);</script>' }, late],
    ['an endless script once it is loaded', { html: '<script>onload = () => { for (;;); }</script>' }, late],
    ['an endless script when it is printed', { html: '<script>onbeforeprint = () => { for (;;); }</script>' }, late],
    ['an endless script in a frame', { html: '<iframe srcdoc="<script>for (;;);</script>"></iframe>' }, late],
    ['alerts without end', { html: '<script>for (;;) alert(1)</script>' }, late],
    ['text without end', { html: '<script>for (;;) document.write("<p>x")</script>' }, [502, 504]],
    ['memory without end', { html: '<script>a = []; for (;;) a.push(new Array(1e6).fill(1))</script>' }, [502, 504]],
    ['a picture that never comes', { html: '<img src="/silent">' }, late],
    ['a style that never comes', { html: '<link rel=stylesheet href="/silent">x' }, late],
    ['a frame that never ends', { html: '<iframe src="/drip"></iframe>' }, late],
    ['what never appears', { html: '<p>', wait_for: 'selector:#never' }, late],
    ['a link that says nothing', { link: '/silent' }, late],
    ['a link that drips', { link: '/drip' }, late],
    ['a link to more than it may load', { link: '/flood' }, [502, 504]],
    ['a link that redirects without end', { link: '/endless' }, [502, 504]],
    ['a link that goes round and round', { link: '/round' }, [200, 504]],
    ['two million elements', { html: '<b>x</b>'.repeat(2_000_000) }, [200, 422, 502, 504]],
    ['10 000 pages', { html: '<p style="break-after:page">x</p>'.repeat(10_000) }, [200, 422, 504]],
    ['more bytes than it may', { html: '<p>xyz '.repeat(30_000) }, [422, 504]],
  ])('with %s', { timeout: 120_000 }, async ([, body, statuses], { expect }) => {
    const description = JSON.parse(
      JSON.stringify(body).replaceAll('"/', `"${site.url}/`).replaceAll('\\"/', `\\"${site.url}/`),
    )
    // All documents are sent at once, so each may also time out while it waits for the others.
    const { status } = await post(server, description)
    expect([...statuses, 504]).toContain(status)
  })
})

afterAll(() => eventually(() => expectToWork(server)), 120_000)
