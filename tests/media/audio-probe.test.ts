// Tests that the format and duration of audio files are read, and that other and broken files are rejected.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { probeAudio } from '#media/audio-probe'
import { openBytes } from '#media/random-access'
import {
  clip,
  films,
  fixture,
  hasFfmpeg,
  inStorage,
  madeUp,
  orRefused,
  pictures,
  tones,
} from '../support/media/clips.ts'
import { joined, namesOf, recipes } from '../support/media/recipes.ts'
import { isFull, runs } from '../support/tier.ts'

const types: Record<string, [mimetype: string, extension: string]> = {
  mp3: ['audio/mpeg', 'mp3'],
  mp2: ['audio/mpeg', 'mp3'],
  aac: ['audio/aac', 'aac'],
  m4a: ['audio/mp4', 'm4a'],
  wav: ['audio/wav', 'wav'],
  flac: ['audio/flac', 'flac'],
  ogg: ['audio/ogg', 'ogg'],
  oga: ['audio/ogg', 'ogg'],
  webm: ['audio/webm', 'webm'],
  mka: ['audio/x-matroska', 'mka'],
  amr: ['audio/amr', 'amr'],
  awb: ['audio/amr-wb', 'awb'],
  aiff: ['audio/aiff', 'aiff'],
  aifc: ['audio/aiff', 'aiff'],
  caf: ['audio/x-caf', 'caf'],
  wma: ['audio/x-ms-wma', 'wma'],
}

const typeOf = (name: string) => types[name.split('.').at(-1)!]!

describe.each(Object.entries(tones))('%s', (name, duration) => {
  it('has the right media type and duration', async () => {
    const audio = await probeAudio(await inStorage(await fixture(name)))
    const [mimetype, extension] = typeOf(name)
    expect(audio).toEqual({ mimetype, extension, duration: expect.closeTo(duration, 1) })
  })

  it('is read or rejected when truncated at any byte', async () => {
    const bytes = await fixture(name)
    for (let length = 0; length < bytes.length; length += length < 200 ? 1 : Math.ceil(bytes.length / 50)) {
      const audio = await orRefused(probeAudio(openBytes(bytes.subarray(0, length))))
      if (typeof audio === 'object') expect(audio.duration).toBeGreaterThan(0)
    }
  })

  it('is read or rejected with any broken bytes', async () => {
    const bytes = await fixture(name)
    const change = fc.tuple(
      fc.integer({ min: 0, max: Math.min(bytes.length, 2000) - 1 }),
      fc.integer({ max: 255, min: 0 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const broken = bytes.slice()
        for (const [at, value] of changes) broken[at] = value
        const audio = await orRefused(probeAudio(openBytes(broken)))
        if (typeof audio === 'object') expect(audio.duration).toBeGreaterThan(0)
      }),
      { numRuns: runs(100) },
    )
  })
})

describe.runIf(hasFfmpeg && isFull)('made by ffmpeg', () => {
  it.each(namesOf('audio'))('%s is as long as ffprobe says', async (name) => {
    const { bytes, duration, packets } = await clip(name)
    const audio = await probeAudio(await inStorage(bytes))
    const [mimetype, extension] = typeOf(name)
    const seconds = amr[name] ?? (recipes[name]!.guessed ? packets : duration)
    expect(audio).toMatchObject({ mimetype, extension })
    expect(Math.abs(audio!.duration - seconds)).toBeLessThan(0.1)
  })

  it.each([...namesOf('video'), ...namesOf('other')])('%s is recognised as another kind of file', async (name) => {
    expect(await probeAudio(await inStorage((await clip(name)).bytes))).toBeUndefined()
  })
})

/** Real durations in seconds of the files whose duration ffprobe reports as a tenth, since their packets have no timestamps. */
const amr: Record<string, number> = { 'narrow.amr': 10, 'wide.awb': 6 }

describe('files that are not audio', () => {
  it.each([...films, ...pictures])('%s is recognised as another kind of file', async (name) => {
    expect(await probeAudio(openBytes(await fixture(name)))).toBeUndefined()
  })

  it.each(['some text', 'ID', '%PDF-1.4', 'PK\x03\x04', '\0', 'RIFF', 'RIFF\0\0\0\0WEBP', '<html>'])(
    'nor is %j',
    async (text) => {
      expect(await probeAudio(openBytes(new TextEncoder().encode(text.padEnd(200, '.'))))).toBeUndefined()
    },
  )

  it('rejects an empty file', async () => {
    await expect(probeAudio(openBytes(new Uint8Array()))).rejects.toMatchObject({ status: 400 })
  })

  it.each([
    'RIFF\0\0\0\0WAVE',
    'FORM\0\0\0\0AIFF',
    'caff\0\x01\0\0',
    'fLaC',
    'OggS',
    '#!AMR\n',
    '#!AMR-WB\n',
    'ID3\x04\0\0\0\0\0\0',
  ])('rejects %j as broken audio', async (text) => {
    await expect(probeAudio(openBytes(ascii(text)))).rejects.toMatchObject({ status: 400 })
  })

  it('never fails for random bytes', async () => {
    const marks = [
      '',
      'ID3',
      'RIFF....WAVE',
      'FORM....AIFC',
      'caff\0\x01\0\0',
      'fLaC\0\0\0\x22',
      'OggS\0\x02',
      '\xff\xfb',
      '\xff\xf1',
    ]
    const more = ['#!AMR\n', '....ftypM4A ', '....ftypisom', '\x1aE\xdf\xa3', '\x30\x26\xb2\x75\x8e\x66\xcf\x11']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...marks, ...more), fc.uint8Array({ maxLength: 3000 }), async (mark, rest) => {
        await orRefused(probeAudio(openBytes(joined(ascii(mark), rest))))
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('a file that is crafted to keep its reader busy', () => {
  const huge = 2 ** 31

  it('may be an MP3 of two gigabytes, whose duration is extrapolated', async () => {
    const [frame, hertz] = [Uint8Array.of(0xff, 0xfb, 0x90, 0xc0), 44100]
    const file = madeUp(huge, (bytes, start) => {
      for (let at = (417 - (start % 417)) % 417; at < bytes.length; at += 417)
        bytes.set(frame.subarray(0, bytes.length - at), at)
    })
    expect((await probeAudio(file))!.duration).toBeCloseTo((huge / 417) * (1152 / hertz), -1)
    expect(file.bytesRead).toBeLessThan(100 * 2 ** 20)
  })

  it.each([
    ['tags after tags', 'ID3\x04\0\0\0\0\0\0'],
    ['chunks after chunks', 'RIFF\0\0\0\0WAVE'],
    ['long chunks after chunks', 'caff\0\x01\0\0'],
    ['first pages only', `OggS\0\x02${'\0'.repeat(21)}`],
    ['objects without a size', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
    ['boxes without a size', '\0\0\0\x08ftypM4A '],
    ['boxes of one byte', '\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x01moov'],
    ['a box of the most bytes', '\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x01moov\x7f\xff\xff\xff\xff\xff\xff\xff'],
    ['elements without an end', '\x1aE\xdf\xa3\x80\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff'],
  ])('has %s', async (_, mark) => {
    const pattern = ascii(mark)
    for (const size of [1000, 100_000, huge]) {
      const file = madeUp(size, (bytes, start) => {
        for (let i = 0; i < bytes.length && i + start < 100_000; i++) bytes[i] = pattern[(i + start) % pattern.length]!
        if (start === 0) bytes.set(pattern.subarray(0, bytes.length))
      })
      await orRefused(probeAudio(file))
      expect(file.bytesRead).toBeLessThan(150 * 2 ** 20)
    }
  })
})

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
