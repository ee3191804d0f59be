// Tests of print jobs: their JSON in chunks, and the digest that is the key of the cache.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PdfRequest } from '#pdf/contract'
import { jobDigest, jobOf, jobStream, jsonChunks, type PrintJob } from '#pdf/job'
import { runs } from '../support/tier.ts'

const jobs = (params: object): PrintJob => jobOf(PdfRequest.parse(params))

const textOf = (job: PrintJob) => new Response(new Blob([...jsonChunks(job)] as Uint8Array<ArrayBuffer>[])).text()

const html = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((text) => text.repeat(30_000)),
  // Surrogate pairs at each offset, so that the ends of chunks split some of them.
  fc.nat(3).map((pad) => `${'a'.repeat(pad)}${'😀'.repeat(50_000)}`),
)

describe('a job', () => {
  it('has the same JSON in chunks as in one string', async () => {
    await fc.assert(
      fc.asyncProperty(html, async (html) => {
        const job = jobs({ html, header_html: html.slice(0, 1_000).toWellFormed() })
        const text = await textOf(job)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(job)))
        expect(await new Response(jobStream(job)).text()).toBe(text)
      }),
      { numRuns: runs(30) },
    )
  })

  it('is the same for the same input, in any order, with or without defaults', async () => {
    const digest = await jobDigest(jobs({ html: 'a' }))
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    const same = { media: 'print', scale: 1, margin_top: '10MM', landscape: false, html: 'a', wait_for: 'load' }
    expect(await jobDigest(jobs(same))).toBe(digest)
    expect(await jobDigest(jobs({ html: 'a', filename: 'other.pdf', unknown: 1 }))).toBe(digest)
  })

  const others = {
    html: 'b',
    format: 'A5',
    landscape: true,
    margin_top: '11mm',
    margin_right: '11mm',
    margin_bottom: '11mm',
    margin_left: '11mm',
    scale: 1.5,
    header_html: 'a',
    footer_html: 'a',
    print_background: false,
    page_ranges: '1',
    wait_for: 'networkidle',
    media: 'screen',
  }

  it.each(Object.entries(others))('differs with another %s', async (name, value) => {
    expect(await jobDigest(jobs({ html: 'a', [name]: value }))).not.toBe(await jobDigest(jobs({ html: 'a' })))
  })

  it('of a link differs from that of the same text', async () => {
    const text = 'https://example.com/'
    expect(await jobDigest(jobs({ html: text }))).not.toBe(await jobDigest(jobs({ html_link: text })))
  })

  it('has all parameters except the file name', () => {
    expect(Object.keys(others).sort()).toEqual(
      Object.keys(PdfRequest.shape)
        .filter((name) => !['filename', 'html_link', 'width', 'height'].includes(name))
        .sort(),
    )
  })
})
