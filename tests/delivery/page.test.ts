// Tests the streaming JSON parser for pages of recipients, with any content and any split into chunks.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valuesIn } from '#core/template/values'
import { recipientsIn } from '#delivery/page'
import { runs } from '../support/tier.ts'

async function* inParts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (text: string | Uint8Array, size = 10_000) =>
  Array.fromAsync(recipientsIn(inParts(typeof text === 'string' ? new TextEncoder().encode(text) : text, size)))

describe('the recipients of a page', () => {
  it('are the items of `content` in the JSON, however the stream is split into chunks', async () => {
    // The decoder drops a byte order mark at the beginning of a string, so such strings are left out.
    const isPlain = (value: unknown) => !JSON.stringify(value).includes('\uFEFF')
    const page = fc
      .array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 6 })
      .filter(isPlain)
    const around = fc.dictionary(
      fc.string().filter((key) => key !== 'content'),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(around, page, around, fc.integer({ min: 1, max: 40 }), async (before, content, after, size) => {
        const text = JSON.stringify({ ...before, content, ...after })
        expect(await read(text, size)).toEqual((valuesIn(text) as { content: object[] }).content)
      }),
      { numRuns: runs(100) },
    )
  })

  it('have unsafe integers as strings of digits, and other numbers unchanged', async () => {
    const numbers = '[9007199254740993, -12345678901234567890, 9007199254740991, 1.5, 1e20, -0]'
    const exact = ['9007199254740993', '-12345678901234567890', 9007199254740991, 1.5, 1e20, -0]
    for (const size of [1, 7, 10_000])
      expect(await read(`{"content": [{"a": ${numbers}}]}`, size)).toEqual([{ a: exact }])
  })

  it('may be empty', async () => expect(await read('{"status": true, "content": [ ] }')).toEqual([]))

  it.each([
    ['no_content', ''],
    ['not_json', '<!doctype html><p>Sign in</p>'],
    ['not_json', '{"content": [{"a": 1}'],
    ['not_json', '{"content": [{"a": 1}]'],
    ['not_json', '{"content": [{"a": 1},]}'],
    ['not_json', '{"content": []} x'],
    ['not_json', 'nothing'],
    ['no_content', '{}'],
    ['no_content', '{"status": true, "data": [{}]}'],
    ['no_content', '{"content": null}'],
    ['no_content', '{"content": "content"}'],
    ['no_content', '{"content": {}}'],
    ['no_content', '{"content": {"a": {}}}'],
    ['no_content', '{"a": {"content": [{}]}}'],
    ['no_content', '{"a": "content", "b": []}'],
    ['no_content', '[]'],
    ['no_content', '[{"content": [{}]}]'],
    ['no_content', '["content", []]'],
    ['no_content', '1'],
    ['not_objects', '{"content": ["ann@example.com"]}'],
    ['not_objects', '{"content": [{}, null]}'],
    ['not_objects', '{"content": [[]]}'],
    ['not_objects', '{"content": [1]}'],
  ])('are rejected with %s: %s', async (code, text) => {
    for (const size of [1, 7, 10_000]) await expect(read(text, size)).rejects.toMatchObject({ name: 'Failure', code })
  })

  it('are limited to 1 MB each, like the data between two of them', async () => {
    const large = 'x'.repeat(1_200_000)
    const code = { code: 'answer_too_large' }
    await expect(read(`{"content": [{"a": "${large}"}]}`)).rejects.toMatchObject(code)
    await expect(read(`{"a": "${large}", "content": []}`)).rejects.toMatchObject(code)
    await expect(read(`{"content": [${'[],'.repeat(500_000)}{}]}`)).rejects.toMatchObject({ code: 'not_objects' })
    await expect(read(`{"content": [{"a": [${'[],'.repeat(500_000)}1]}]}`)).rejects.toMatchObject(code)
    expect(await read(`{"content": [{"a": "${'x'.repeat(900_000)}"}, {}]}`)).toHaveLength(2)
  })

  it('are rejected early if the page is nested too deeply', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const code = { code: 'answer_too_large' }
    await expect(read(`{"a": ${nested(450_000)}, "content": []}`)).rejects.toMatchObject(code)
    await expect(read(`{"content": [{"a": ${nested(450_000)}}]}`)).rejects.toMatchObject(code)
    await expect(read(`{"a": ${'{"a":'.repeat(150_000)}`)).rejects.toMatchObject(code)
    expect(await read(`{"a": ${nested(99)}, "content": [{"a": ${nested(97)}}, {"a": ${nested(97)}}]}`)).toHaveLength(2)
  })

  it('are returned before the page ends', async () => {
    async function* unending() {
      yield new TextEncoder().encode('{"content": [{"n": 1}, {"n": 2}, ')
      throw new Error('cut off')
    }
    const recipients = recipientsIn(unending())
    expect([await recipients.next(), await recipients.next()]).toMatchObject([{ value: { n: 1 } }, { value: { n: 2 } }])
    await expect(recipients.next()).rejects.toThrow('cut off')
  })
})
