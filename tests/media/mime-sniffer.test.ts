// Tests which media type and extension files get by their content and name.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headSize, sniffType, splitName } from '#media/mime-sniffer'
import { films, fixture, pictures, tones } from '../support/media/clips.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const typeOf = async (content: string | Uint8Array, said = '', name = 'x') =>
  (await sniffType(typeof content === 'string' ? utf8(content) : content, name, said)).mimetype

describe('the type of a file', () => {
  it.each([
    ['still.png', 'image/png'],
    ['still.jpg', 'image/jpeg'],
    ['tone.mp3', 'audio/mpeg'],
    ['tone.wav', 'audio/wav'],
    ['film.mp4', 'video/mp4'],
    ['film.webm', 'video/webm'],
  ])('%s is detected from the content, whatever type the client declared', async (name, mimetype) => {
    expect(await sniffType(await fixture(name), 'a.TXT', 'text/html')).toEqual({
      mimetype,
      extension: 'txt',
      charset: null,
    })
  })

  it.each([
    ['%PDF-1.4 plain', 'application/pdf'],
    ['{\\rtf1 plain}', 'application/rtf'],
    ['BEGIN:VCARD\r\nVERSION:3.0', 'text/vcard'],
    ['PK\x03\x04\x14\0\0\0\0\0', 'application/zip'],
  ])('%j is detected by its magic bytes', async (text, mimetype) => {
    expect(await typeOf(text.padEnd(100), 'text/plain')).toBe(mimetype)
  })

  it.each([
    ['text/csv', 'text/csv'],
    ['Text/HTML; charset=utf-8', 'text/html'],
    ['application/json', 'application/json'],
    ['application/geo+json', 'application/geo+json'],
    ['image/svg+xml', 'image/svg+xml'],
    ['application/javascript', 'application/javascript'],
    ['application/yaml', 'application/yaml'],
    ['image/png', 'text/plain'],
    ['application/octet-stream', 'text/plain'],
    ['text/a b', 'text/plain'],
    ['text/html\r\nX: y', 'text/plain'],
    ['text/', 'text/plain'],
    ['', 'text/plain'],
  ])('of a text is the declared one if that is a text type: %j', async (said, mimetype) => {
    expect(await typeOf('a text: é, 日本', said)).toBe(mimetype)
  })

  it.each(['BMW is a car, and no bitmap', 'MZ', 'ID3 is what a tag begins with', 'GIF', '#!AMR\n', 'FWS of letters'])(
    'of the text %j is text',
    async (text) => {
      expect(await typeOf(text.padEnd(200, ' and so on'))).toBe('text/plain')
    },
  )

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['\ufeff<?xml version="1.0"?>\n<!-- a --><svg/>', 'image/svg+xml'],
    ['<?xml version="1.0"?><a/>', 'application/xml'],
    ['<!doctype html><script>', 'text/plain'],
    ['<html>', 'text/plain'],
  ])('%j is detected without a declared type', async (text, mimetype) => {
    expect(await typeOf(text)).toBe(mimetype)
    expect(await typeOf(text, 'text/plain')).toBe('text/plain')
  })

  it('of a text that is cut within a character is a text type', async () => {
    expect(await typeOf(utf8('añ').subarray(0, 2))).toBe('text/plain')
  })

  it('of a text in a legacy encoding is the declared one', async () => {
    const latin = Uint8Array.of(0x61, 0xf1, 0x6f)
    expect(await typeOf(latin, 'text/csv')).toBe('text/csv')
    expect(await typeOf(latin, 'image/png')).toBe('application/octet-stream')
    expect(await typeOf(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe9, 0), '')).toBe('text/plain')
  })

  it('of unknown bytes is application/octet-stream', async () => {
    expect(await typeOf(Uint8Array.of(1, 2, 3, 0, 255), 'text/html')).toBe('application/octet-stream')
    expect(await typeOf(new Uint8Array(100), 'text/plain')).toBe('application/octet-stream')
  })

  it('is always a valid media type, and HTML only if declared', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string(),
        fc.string({ unit: 'binary' }),
        async (head, said, name) => {
          const { mimetype, extension } = await sniffType(head, name, said)
          expect(mimetype).toMatch(/^[a-z]+\/[a-z0-9][\w.+-]*$/)
          expect(mimetype).not.toBe('text/html')
          expect(extension).toMatch(/^[a-z0-9]{0,16}$/)
        },
      ),
    )
  })

  it('is detected for every fixture', async () => {
    for (const name of [...Object.keys(tones), ...films, ...pictures]) {
      const bytes = await fixture(name)
      for (let length = 0; length < Math.min(bytes.length, headSize); length += length < 100 ? 1 : 997) {
        expect(await typeOf(bytes.subarray(0, length))).toContain('/')
      }
    }
  })
})

describe('the extension of a file', () => {
  it.each([
    ['a.PNG', '', 'png'],
    ['Makefile', '', ''],
    ['.gitignore', 'text/plain', ''],
    ['a', 'text/csv', ''],
  ])('of %j, declared as %j, is %j', async (name, said, extension) => {
    expect((await sniffType(utf8('text'), name, said)).extension).toBe(extension)
  })

  it('is that of the content if the name has none', async () => {
    expect((await sniffType(await fixture('still.png'), 'a', '')).extension).toBe('png')
  })
})

describe('a name', () => {
  it.each([
    ['cat.png', 'cat', 'png'],
    ['archive.tar.GZ', 'archive.tar', 'gz'],
    ['no extension', 'no extension', ''],
    ['.gitignore', '.gitignore', ''],
    ['..', 'file', ''],
    ['...png', '...png', ''],
    ['', 'file', ''],
    ['  ', 'file', ''],
    ['a.', 'a.', ''],
    ['Dr. Smith', 'Dr. Smith', ''],
    ['a.b-c', 'a.b-c', ''],
    ['a.extensionthatistoolong', 'a.extensionthatistoolong', ''],
    ['/etc/passwd', 'passwd', ''],
    ['C:\\Users\\a\\b.txt', 'b', 'txt'],
    ['../../x.sh', 'x', 'sh'],
    ['dir/', 'file', ''],
    ['a\r\nb\0c.txt', 'abc', 'txt'],
    ['gpj.\u202eexe.jpg', 'gpj.exe', 'jpg'],
    ['"quoted" \'😀\'.md', '"quoted" \'😀\'', 'md'],
    ['\ud800.txt', '\ufffd', 'txt'],
  ])('%j is %j with the extension %j', (filename, name, extension) => {
    expect(splitName(filename)).toEqual({ name, extension })
  })

  it('has at most 255 characters, without a split surrogate pair', () => {
    expect(splitName(`${'a'.repeat(300)}.png`)).toEqual({ name: 'a'.repeat(255), extension: 'png' })
    expect(splitName(`${'a'.repeat(254)}😀.png`).name).toBe('a'.repeat(254))
  })

  it('has no path and no control characters, for any uploaded name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (filename) => {
        const { name, extension } = splitName(filename)
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(255)
        expect(name.isWellFormed()).toBe(true)
        expect(name).not.toMatch(/[\p{Cc}/\\]/u)
        expect(extension).toMatch(/^[a-z0-9]{0,16}$/)
      }),
    )
  })
})
