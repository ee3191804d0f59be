// Tests that the size and duration of videos are read from their headers, compared with ffprobe.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBytes } from '#media/random-access'
import { probeVideo } from '#media/video-probe'
import { clip, films, fixture, hasFfmpeg, inStorage, madeUp, pictures, tones } from '../support/media/clips.ts'
import { joined, namesOf } from '../support/media/recipes.ts'
import { runs } from '../support/tier.ts'

const small = { width: 64, height: 48 }
const plain = { is_streamable: false, may_copy: false }

const said: Record<string, object> = {
  'film.avi': { mimetype: 'video/vnd.avi', duration: 1, ...small, ...plain },
  'film.flv': { mimetype: 'video/x-flv', duration: 1, ...small, ...plain, is_streamable: true },
  'film.gif': { mimetype: 'image/gif', ...plain, is_streamable: true },
  'film.mov': { mimetype: 'video/quicktime', duration: 3, ...small, is_streamable: false, may_copy: true },
  'film.mp4': { mimetype: 'video/mp4', duration: 3, ...small, is_streamable: true, may_copy: true },
  'film.ogv': { mimetype: 'video/ogg', ...small, ...plain, is_streamable: true },
  'film.webm': { mimetype: 'video/webm', duration: 3, ...small, ...plain, is_streamable: true },
  'film.wmv': { mimetype: 'video/x-ms-asf', duration: 1, ...small, ...plain, is_streamable: true },
}

describe.each(films)('%s', (name) => {
  it('has the right properties', async () => {
    const none = { duration: undefined, width: undefined, height: undefined }
    expect(await probeVideo(await inStorage(await fixture(name)))).toEqual({ ...none, ...said[name] })
  })

  it('is accepted or rejected, truncated at any byte and with any broken bytes', async () => {
    const bytes = await fixture(name)
    const change = fc.tuple(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ max: 255, min: 0 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 1, max: bytes.length }),
        async (changes, end) => {
          const broken = bytes.slice(0, end)
          for (const [at, value] of changes) if (at < end) broken[at] = value
          const video = await probeVideo(openBytes(broken))
          for (const value of [video?.duration, video?.width, video?.height]) expect(value ?? 1).toBeGreaterThan(0)
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

/** Files without a duration in their header. ffprobe computes the duration from the content. */
const untold = ['fragmented.mp4', 'live-vp8.webm', 'stream.ts', 'program.mpg', 'moving.gif']
const inOrder = /faststart|fragmented|cuts|\.(mkv|webm|ogv|ts|flv|wmv|mpg|gif)$/
const copied = /^(plain|faststart|fragmented|mute|wide|turned|cuts)\.mp4|h264/

describe.runIf(hasFfmpeg)('made by ffmpeg', () => {
  it.each(namesOf('video'))('%s says what ffprobe says', async (name) => {
    const { bytes, duration } = await clip(name)
    const video = await probeVideo(await inStorage(bytes))
    expect(video).toMatchObject({ is_streamable: inOrder.test(name), may_copy: copied.test(name) })
    if (untold.includes(name)) return expect(video?.duration).toBeUndefined()
    expect(Math.abs(video!.duration! - duration)).toBeLessThan(0.1)
  })

  it.each([
    ['plain.mp4', 320, 240],
    ['wide.mp4', 427, 240],
    ['wide.mkv', 427, 240],
    ['turned.mp4', 240, 320],
    ['xvid.avi', 320, 240],
    ['flash.flv', 320, 240],
    ['plain.wmv', 320, 240],
    ['theora.ogv', 320, 240],
    ['vp9.webm', 320, 240],
  ])('%s is displayed at %i x %i', async (name, width, height) => {
    expect(await probeVideo(openBytes((await clip(name)).bytes))).toMatchObject({ width, height })
  })

  it.each([...namesOf('audio').filter((name) => !unmarked.includes(name)), ...namesOf('other')])(
    '%s is recognised as another kind of file',
    async (name) => {
      expect(await probeVideo(openBytes((await clip(name)).bytes))).toBeUndefined()
    },
  )
})

/** Audio files whose first bytes do not differ from those of a video. They are accepted, and fail when ffmpeg finds no video. */
const unmarked = ['rf64.wav', 'two-tags.mp3']

describe('files that are not videos', () => {
  it.each([...Object.keys(tones), ...pictures])('%s is recognised as another kind of file', async (name) => {
    expect(await probeVideo(openBytes(await fixture(name)))).toBeUndefined()
  })

  it.each([
    ['text', 'some text'],
    ['a playlist, from which ffmpeg would open other files', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'],
    ['a list of files', 'ffconcat version 1.0\nfile /etc/passwd\n'],
    ['a page', '<!doctype html><html>'],
    ['a PDF', '%PDF-1.4\n\0\0'],
    ['an archive', 'PK\x03\x04\x14\0\0\0\0\0'],
    ['a program', '\x7fELF\x02\x01\x01\0'],
  ])('%s is rejected', async (_, text) => {
    expect(await probeVideo(openBytes(ascii(text)))).toBeUndefined()
  })

  it('rejects an empty file', async () => {
    await expect(probeVideo(openBytes(new Uint8Array()))).rejects.toMatchObject({ status: 400 })
  })

  it('accepts an unknown format', async () => {
    const video = await probeVideo(openBytes(Uint8Array.of(1, 2, 3, 0, 250, 251)))
    expect(video).toMatchObject({ mimetype: 'application/octet-stream', ...plain })
  })

  it('never fails for random bytes', async () => {
    const marks = [
      '',
      '....ftypisom',
      '....ftypqt  ',
      '\x1aE\xdf\xa3',
      'OggS\0\x02',
      'FLV\x01\x05',
      'RIFF....AVI LIST',
      'GIF89a',
    ]
    const more = [
      '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c',
      '\0\0\x01\xba',
      '....moov',
      '....wide',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...marks, ...more),
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        async (mark, rest) => {
          await probeVideo(openBytes(joined(ascii(mark), rest)))
        },
      ),
      { numRuns: runs(500) },
    )
  })
})

describe('a file that is crafted to keep its reader busy', () => {
  it.each([
    ['boxes within boxes', '\0\x00\xff\xf8moov'],
    ['boxes of nothing', '\0\0\0\x08free'],
    ['tracks of nothing', '\0\0\0\x08trak'],
    ['boxes of half of the numbers', '\0\0\0\x01moov\x7f\xff\xff\xff\xff\xff\xff\xff'],
    ['segments within segments', '\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff'],
    ['clusters of nothing', '\x1f\x43\xb6\x75\x80'],
    ['blocks of nothing', '\xa3\x80'],
  ])('has %s', async (_, pattern) => {
    const begins =
      pattern.includes('o') || pattern.includes('r')
        ? '\0\0\0\x10ftypisom\0\0\0\0'
        : '\x1aE\xdf\xa3\x84\x42\x82\x81w\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff'
    const [head, rest] = [ascii(begins), ascii(pattern)]
    for (const size of [100, 10_000, 4_000_000]) {
      const file = madeUp(size, (bytes, start) => {
        for (let i = 0; i < bytes.length; i++)
          bytes[i] = head[i + start] ?? rest[(i + start - head.length) % rest.length]!
      })
      await probeVideo(file)
      expect(file.bytesRead).toBeLessThan(16 * 2 ** 20)
    }
  })

  it('with a box in each block is read only up to the limit', async () => {
    const bytes = new Uint8Array(6 * 2 ** 20)
    bytes.set(ascii('\0\0\0\x10ftypisom\0\0\0\0'))
    for (let at = 16; at < bytes.length; at += 2 ** 19) bytes.set(ascii('\0\x08\0\0free'), at)
    expect(await probeVideo(await inStorage(bytes, 2 ** 21))).toMatchObject({ mimetype: 'video/mp4', ...plain })
  })
})

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
