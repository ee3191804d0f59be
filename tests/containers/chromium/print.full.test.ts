// Tests what the server prints: scripts of the world, page sizes, headers and page ranges.
import { expect, it } from 'vitest'
import { post, print, useServer } from './server.ts'
import { useSite } from './site.ts'

const server = useServer()

const site = useSite({
  '/': '<title>Mine</title><img src="/dot.svg"><p id=a>Linked<script>fetch("/late").then(r => r.text()).then(t => a.append(t))</script>',
  '/dot.svg': (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/remember':
    '<p id=a><script>a.append("[" + document.cookie + localStorage.n + "]"); document.cookie = localStorage.n = "n=1"</script>',
  '/late': (_request, response) => setTimeout(() => response.end(' late'), 200),
  '/agent': (request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(request.rawHeaders)),
})

const pages = (count: number) =>
  Array.from({ length: count }, (_, i) => `<p style="break-after:page">P${i + 1}</p>`).join('')

it('prints in all scripts', async () => {
  const words = ['Latin', 'Кириллица', 'Ελληνικά', '你好世界', 'ひらがな', '한국어', '😀']
  const { text } = await print(server, { html: `<meta charset=utf-8>${words.map((word) => `<p>${word}`).join('')}` })
  expect(text.split(' ')).toEqual(words)
})

it('prints Arabic with joined letters', async () => {
  const { text } = await print(server, { html: '<p dir=rtl lang=ar>مرحبا بالعالم' })
  expect(text.normalize('NFKC').replace(/\s/g, '')).toContain([...'مرحبا'].reverse().join(''))
})

it.each([
  [{}, [596, 842]],
  [{ format: 'a6' }, [298, 420]],
  [{ format: 'Letter' }, [612, 792]],
  [{ format: 'LEDGER' }, [1224, 792]],
  [{ landscape: true }, [842, 596]],
  [{ width: '10cm', height: '144pt' }, [284, 144]],
  [{ width: '96', height: '6pc', margin_top: '1mm', margin_bottom: 0 }, [72, 72]],
  [{ width: '100mm', height: '2in', landscape: true }, [144, 284]],
])('with %j prints pages of %j points', async (settings, size) => {
  const { sizes } = await print(server, { html: '<p>x', ...settings })
  for (const [i, side] of sizes[0]!.entries()) expect(Math.abs(side - size[i]!)).toBeLessThanOrEqual(1)
})

it('uses the page size of the CSS unless a parameter sets it', async () => {
  const html = '<style>@page { size: 5in 7in }</style><p>x'
  expect((await print(server, { html })).sizes).toEqual([[360, 504]])
  expect((await print(server, { html, format: 'Letter' })).sizes).toEqual([[612, 792]])
})

it('prints the requested pages', async () => {
  expect((await print(server, { html: pages(6), page_ranges: '1-2, 5' })).texts).toEqual(['P1', 'P2', 'P5'])
})

it('numbers pages in the footer', async () => {
  const footer_html =
    '<div style="font-size:10px"><span class=pageNumber></span> of <span class=totalPages></span></div>'
  const { texts } = await print(server, {
    html: '<title>T</title>One<p style="break-before:page">Two',
    footer_html,
    margin_bottom: '2cm',
  })
  expect(texts).toEqual(['One 1 of 2', 'Two 2 of 2'])
})

it('prints no default footer with a header', async () => {
  const { text } = await print(server, {
    html: '<title>T</title>x',
    header_html: '<b class=title style="font-size:9px"></b>',
  })
  expect(text).toBe('x T')
})

it('uses the CSS for print or for a screen', async () => {
  const html =
    '<style>@media screen { .p { display: none } } @media print { .s { display: none } }</style><i class=p>P</i><i class=s>S</i>'
  expect((await print(server, { html })).text).toBe('P')
  expect((await print(server, { html, media: 'screen' })).text).toBe('S')
})

it('has fewer pages at a smaller scale', async () => {
  const html = '<p>line</p>'.repeat(100)
  const [usual, small] = await Promise.all([print(server, { html }), print(server, { html, scale: 0.3 })])
  expect(small.sizes.length).toBeLessThan(usual.sizes.length)
})

it('prints backgrounds by default', async () => {
  const html = '<body style="background:linear-gradient(red,blue)">x'
  const [all, none] = await Promise.all([print(server, { html }), print(server, { html, print_background: false })])
  expect(all.bytes).toBeGreaterThan(none.bytes)
})

it('waits for the condition of wait_for', async () => {
  const after = (milliseconds: number) =>
    `<p id=a>A<script>setTimeout(() => { const e = a; e.id = "b"; e.append("B") }, ${milliseconds})</script>`
  expect((await print(server, { html: after(100_000) })).text).toBe('A')
  expect((await print(server, { html: after(300), wait_for: 'selector:#b' })).text).toBe('AB')
  expect((await print(server, { link: site.url, wait_for: 'networkidle' })).text).toBe('Linked late')
  expect((await print(server, { link: site.url, wait_for: 'domcontentloaded' })).text).toMatch(/^Linked/)
})

it('prints a link with its resources', async () => {
  expect((await print(server, { link: `${site.url}/?a=1#b` })).text).toMatch(/^Linked/)
  expect(site.visits).toContain('/?a=1')
  expect(site.visits).toContain('/dot.svg')
})

it('does not reveal its proxy to a site', async () => {
  const { text } = await print(server, { link: `${site.url}/agent` })
  expect(text.toLowerCase()).not.toMatch(/proxy|forwarded/)
})

it('keeps no state between documents', async () => {
  const link = `${site.url}/remember`
  for (const _ of [1, 2]) expect((await print(server, { link })).text).toBe('[undefined]')
})

it('prints many documents at once', async () => {
  const texts = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => (await print(server, { html: `<p>Number ${i}` })).text),
  )
  expect(texts).toEqual(Array.from({ length: 20 }, (_, i) => `Number ${i}`))
})

it('prints a tagged PDF', async () => {
  const bytes = Buffer.from(await (await post(server, { html: '<html lang=en><title>T</title><h1>x' })).arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.toString('latin1')).toContain('/StructTreeRoot')
})
