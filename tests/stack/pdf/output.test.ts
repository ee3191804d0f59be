// Tests the PDFs that the component prints: text, fonts, pages, links and pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask as askPlainly } from '../http.ts'
import { pagesOf, pictureOf } from './reading.ts'
import { ask, print, startPdf } from './service.ts'
import { shapes } from './shapes.ts'
import { content, html, redirect, type Site, startSite } from './site.ts'

let stack: Stack
let site: Site

const png = PNG.sync.write(new PNG({ width: 8, height: 8 }))

beforeAll(async () => {
  const page = `<link rel="stylesheet" href="style.css"><p class="seen">styled</p><p class="hidden">unstyled</p>
    <img src="../picture.png"><p id="out"></p><script src="/script.js"></script><a href="next">next</a>`
  ;[stack, site] = await Promise.all([
    startPdf({ PDF_CACHE_TTL: '60' }),
    startSite({
      '/a/page': html(page),
      '/a/style.css': content('text/css', '.hidden { display: none }'),
      '/picture.png': content('image/png', png),
      '/script.js': content('text/javascript', 'document.getElementById("out").textContent = "scripted"'),
      '/moved': redirect('/moved/again'),
      '/moved/again': redirect('/a/page'),
      '/text': content('text/plain', 'plain'),
      '/file.pdf': content('application/pdf', '%PDF-1.4'),
      '/late.png': (_, response) => void setTimeout(() => response.writeHead(200).end(png), 300),
    }),
  ])
})

afterAll(async () => {
  site.close()
  await stack.dispose()
})

const pages = async (params: object) => pagesOf(await print(stack, params))

/** The letters of a text, sorted: Arabic is drawn from right to left, and each letter in the form of its position. */
const lettersOf = (text: string) => [...text.normalize('NFKC').replace(/\s/g, '')].sort().join('')

const paged = ['one', 'two', 'three'].map((text) => `<p style="break-after: page">${text}</p>`).join('')

/** HTML with a link of 40 x 30 mm at the top left, since the box of a link can be measured in a PDF. */
const box =
  '<style>body { margin: 0 } a { display: block; height: 30mm; width: 40mm }</style><a href="https://example.com/"></a>'

describe('text', () => {
  const texts = [
    { script: 'Latin', text: 'Zażółć gęślą jaźń ß' },
    { script: 'Cyrillic', text: 'Съешь ещё этих булок, қазақша' },
    { script: 'Arabic', text: 'فاتورة ضريبية' },
    { script: 'Chinese', text: '发票号码' },
    { script: 'Japanese', text: '請求書のご案内' },
    { script: 'Korean', text: '청구서' },
    { script: 'emoji', text: '😀🚀' },
  ]

  it.each(texts)('can be read in $script', async ({ text }) => {
    const [page] = await pages({ html: `<p>${text}</p>` })
    expect(lettersOf(page!.text)).toBe(lettersOf(text))
  })
})

describe('pages', () => {
  it('are A4, and as many as the document needs', async () => {
    const all = await pages({ html: paged })
    expect(all.map(({ text }) => text.trim()).filter(Boolean)).toEqual(['one', 'two', 'three'])
    for (const { width, height } of all) expect([Math.round(width), Math.round(height)]).toEqual([210, 297])
  })

  it('are the ones selected by the parameter', async () => {
    const all = await pages({ html: paged, page_ranges: '1, 3' })
    expect(all.map(({ text }) => text.trim())).toEqual(['one', 'three'])
    expect(await ask(stack, { html: paged, page_ranges: '7-9' })).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
  })

  it.each([
    [{ format: 'A5' }, [148, 210]],
    [{ format: 'letter' }, [216, 279]],
    [{ format: 'A4', landscape: true }, [297, 210]],
    [{ width: '62mm', height: '10cm' }, [62, 100]],
  ])('have the size set by %j', async (params, size) => {
    const [page] = await pages({ html: 'a', ...params })
    expect([Math.round(page!.width), Math.round(page!.height)]).toEqual(size)
  })

  it('have the size of the CSS, unless a parameter sets it', async () => {
    const html = '<style>@page { size: 100mm 150mm }</style>a'
    const sizes = (await Promise.all([pages({ html }), pages({ html, format: 'A6' })])).map(([page]) => [
      Math.round(page!.width),
      Math.round(page!.height),
    ])
    expect(sizes).toEqual([
      [100, 150],
      [105, 148],
    ])
  })

  it('have the given margins, 10 mm by default', async () => {
    const margins = { margin_top: '25mm', margin_left: '1in', margin_right: '0', margin_bottom: '5cm' }
    const full = box.replace('width: 40mm', 'width: 100%').replace('height: 30mm', 'height: 100vh')
    const [[usual], [asked]] = await Promise.all([pages({ html: box }), pages({ html: full, ...margins })])
    expect(usual!.links[0]!.left).toBeCloseTo(10, 0)
    expect(usual!.links[0]!.top).toBeCloseTo(10, 0)
    const { left, top, right, bottom } = asked!.links[0]!
    for (const [is, should] of [
      [left, 25.4],
      [top, 25],
      [right, 0],
      [bottom, 50],
    ] as const)
      expect(Math.abs(is - should)).toBeLessThan(0.6)
  })

  it('have the given scale', async () => {
    const [page] = await pages({ html: box, scale: 0.5, margin_left: '0' })
    const { left, right } = page!.links[0]!
    expect(page!.width - left - right).toBeCloseTo(20, 0)
  })

  it('have a header and a footer with page numbers', async () => {
    const all = await pages({
      html: `<title>Report</title>${paged.replace(' style="break-after: page">three', '>three')}`,
      header_html: '<div style="font-size: 10px"><span class="title"></span>, top</div>',
      footer_html:
        '<div style="font-size: 10px">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>',
      margin_top: '25mm',
      margin_bottom: '25mm',
    })
    expect(all).toHaveLength(3)
    for (const [i, { text }] of all.entries()) {
      expect(text).toContain('Report, top')
      expect(text.replace(/\s+/g, ' ')).toContain(`Page ${i + 1} of 3`)
    }
  })

  it('have a header without scripts and external files', async () => {
    const header = `<b style="font-size: 10px">still<script>document.body.textContent = "changed"</script>
      <img src="${site.url}/header.png"></b>`
    const [page] = await pages({ html: 'a', header_html: header, margin_top: '25mm' })
    expect(page!.text).toContain('still')
    expect(page!.text).not.toContain('changed')
    expect(site.visits).not.toContain('/header.png')
  })
})

describe('a document with CSS, scripts and external files', () => {
  it('is printed with the CSS of the given medium', async () => {
    const html =
      '<style>@media print { .screen { display: none } } @media screen { .print { display: none } }</style><p class="screen">screen<p class="print">print'
    const [[print], [screen]] = await Promise.all([pages({ html }), pages({ html, media: 'screen' })])
    expect([print!.text.trim(), screen!.text.trim()]).toEqual(['print', 'screen'])
  })

  it('has backgrounds, unless a parameter removes them', async () => {
    const html = '<body style="margin: 0; background: #f00">'
    const params = {
      html,
      width: '20mm',
      height: '20mm',
      margin_top: '0',
      margin_left: '0',
      margin_right: '0',
      margin_bottom: '0',
    }
    const colours = [true, false].map(async (print_background) => {
      const { data } = await pictureOf(await print(stack, { ...params, print_background }))
      return [...data.subarray(0, 3)]
    })
    expect(await Promise.all(colours)).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ])
  })

  it('has links and pictures', async () => {
    const [page] = await pages({ html: `<a href="https://example.com/x">x</a><img src="${site.url}/picture.png">` })
    expect(page!.links.map(({ url }) => url)).toEqual(['https://example.com/x'])
    expect(page!.images).toBe(1)
  })

  it('is printed when it has loaded', async () => {
    const after = (milliseconds: number) =>
      `<p id="at">first</p><script>setTimeout(() => { at.textContent = at.className = 'second' }, ${milliseconds})</script>`
    const [[first], [second]] = await Promise.all([
      pages({ html: after(100_000) }),
      pages({ html: after(300), wait_for: 'selector:#at.second' }),
    ])
    expect([first!.text.trim(), second!.text.trim()]).toEqual(['first', 'second'])
    const picture = `Object.assign(new Image(), { src: '${site.url}/late.png' })`
    const lazy = `<script>addEventListener('load', () => document.body.append(${picture}))</script>`
    const [page] = await pages({ html: lazy, wait_for: 'networkidle' })
    expect(page!.images).toBe(1)
  })
})

describe('a link', () => {
  it('is printed with all files that it refers to, after redirects', async () => {
    const [page] = await pages({ html_link: `${site.url}/moved` })
    expect(page!.text).toContain('styled')
    expect(page!.text).not.toContain('unstyled')
    expect(page!.text).toContain('scripted')
    expect(page!.images).toBe(1)
    expect(page!.links.map(({ url }) => url)).toEqual([`${site.url}/a/next`])
    expect(site.visits).toEqual(
      expect.arrayContaining(['/moved', '/moved/again', '/a/page', '/a/style.css', '/picture.png']),
    )
  })

  it.each([
    ['/missing', 'The link returned the status 404'],
    ['/text', 'The link did not return HTML'],
    ['/file.pdf', 'The link did not return HTML'],
  ])('to %s is rejected with a reason', async (path, message) => {
    const reply = await ask(stack, { html_link: site.url + path })
    expect(reply).toMatchObject({ status: 502, code: 'link_failed', message })
  })

  it('to a closed port is rejected', async () => {
    const reply = await ask(stack, { html_link: 'http://127.0.0.1:1/' })
    expect(reply).toMatchObject({ status: 502, code: 'link_failed' })
  })
})

describe('a document', () => {
  it('is returned by GET too, with its length and name, and is the same while it is cached', async () => {
    const url = `${stack.url}/pdf/pdf?html=${encodeURIComponent('<h1>Привет</h1>')}&filename=${encodeURIComponent('счёт')}`
    const first = await fetch(url)
    const bytes = await first.bytes()
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(first.headers.get('content-length')).toBe(String(bytes.length))
    expect(first.headers.get('content-disposition')).toContain("filename*=UTF-8''%D1%81%D1%87%D1%91%D1%82.pdf")
    const second = await ask(stack, { html: '<h1>Привет</h1>' })
    expect(Buffer.from(second.bytes).equals(Buffer.from(bytes))).toBe(true)
    const etag = first.headers.get('etag')!
    // Sent with `node:http`, since `fetch` would add `Cache-Control: no-cache` to a request with a condition.
    expect((await askPlainly(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    expect((await pagesOf(bytes))[0]!.text.trim()).toBe('Привет')
  })

  it('looks as expected', async () => {
    const picture = await pictureOf(await print(stack, { html: shapes }))
    // Writes the new picture for a person to look at, who may commit it in place of the old one.
    mkdirSync('.build/pdf', { recursive: true })
    writeFileSync('.build/pdf/shapes.png', PNG.sync.write(picture))
    const reference = PNG.sync.read(readFileSync('tests/stack/pdf/shapes.png'))
    const { width, height } = reference
    expect([picture.width, picture.height]).toEqual([width, height])
    const different = pixelmatch(picture.data, reference.data, undefined, width, height, { threshold: 0.1 })
    expect(different / (width * height)).toBeLessThan(0.005)
  })

  it('matches the sample invoice', async () => {
    const html = readFileSync('docs/samples/invoice.html', 'utf8')
    const all = await pages({ html, filename: 'invoice-2026-0417.pdf' })
    expect(all).toHaveLength(2)
    for (const [i, { text, width, height }] of all.entries()) {
      expect([Math.round(width), Math.round(height)]).toEqual([210, 297])
      expect(text).toContain(`Page ${i + 1} of 2`)
      expect(text).toContain('Description')
    }
    const [first, last] = all
    expect(first!.text).toContain('Lindenstraße 8')
    expect(first!.text).not.toContain('12,231.96')
    expect(last!.text).toContain('12,231.96')
    expect(last!.links.map(({ url }) => url)).toEqual(['https://example.com/pay/2026-0417'])
  })
})
