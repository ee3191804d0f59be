// Tests the limits of UPLOAD_SCOPES.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { fixture } from '../support/media/clips.ts'
import { answered, invalidParameters, type Media, mediaOn, noise, nothing, refusal } from './support.ts'

const kilobyte = 1024

const scopes = {
  small: { file_max_filesize: 1, image_max_filesize: 1, video_max_filesize: 1, audio_max_filesize: 1 },
  large: { file_max_filesize: 20_000 },
  flat: { image_max_dimension: 16, video_max_dimension: 16 },
}

const upload = (
  media: Media,
  kind: string,
  bytes: Uint8Array | string,
  { before, after }: { before?: string; after?: string },
) => {
  const form = new FormData()
  if (before !== undefined) form.append('scope', before)
  form.append('file', new File([bytes], 'a.txt'))
  if (after !== undefined) form.append('scope', after)
  return answered(media.fetch(`/${kind}`, { method: 'POST', body: form }))
}

const tooLarge = refusal(413, 'payload_too_large')

describe.each(databases)('a scope on $dialect', (database) => {
  const fresh = (given = {}) =>
    mediaOn({
      ...{ DB: undefined as never, UPLOAD_SCOPES: JSON.stringify(scopes), UPLOAD_MAX_FILESIZE: '100' },
      ...{ ...database, ...given },
    })

  it.each([{ before: 'small' }, { after: 'small' }, { before: 'large', after: 'small' }])(
    'limits a file to the byte, as %o',
    async (where) => {
      const media = fresh()
      expect(await upload(media, 'file', noise(kilobyte), where)).toMatchObject({ status: 200 })
      const { left } = media
      const kept = await left()
      expect(await upload(media, 'file', noise(kilobyte + 1), where)).toMatchObject(tooLarge)
      expect(await left()).toEqual(kept)
    },
  )

  it('applies the default limits to an upload without a scope', async () => {
    const media = fresh()
    for (const where of [{}, { before: '' }, { before: 'flat' }]) {
      expect(await upload(media, 'file', noise(100 * kilobyte), where)).toMatchObject({ status: 200 })
      const kept = await media.left()
      expect(await upload(media, 'file', noise(100 * kilobyte + 1), where)).toMatchObject(tooLarge)
      expect(await media.left()).toEqual(kept)
    }
  })

  it.each([{ before: 'large' }, { after: 'large' }])('allows more than the limit of all, as %o', async (where) => {
    const media = fresh()
    expect(await upload(media, 'file', noise(20_000 * kilobyte), where)).toMatchObject({ status: 200 })
    const kept = await media.left()
    expect(await upload(media, 'file', noise(20_000 * kilobyte + 1), where)).toMatchObject(tooLarge)
    expect(await media.left()).toEqual(kept)
  })

  it.each(['none', '__proto__', 'constructor', 'toString', 'Small', ' small', '😀'])(
    'called %s is none',
    async (scope) => {
      const media = fresh()
      for (const where of [{ before: scope }, { after: scope }])
        expect(await upload(media, 'file', 'x', where)).toMatchObject(invalidParameters('scope'))
      expect(await media.left()).toEqual(nothing)
    },
  )

  it('applies the limits of each kind', async () => {
    const media = fresh()
    const files = { image: 'still.png', video: 'film.mov', audio: 'tone.wav' }
    for (const [kind, name] of Object.entries(files)) {
      const bytes = await fixture(name)
      const tight = fresh({
        UPLOAD_SCOPES: JSON.stringify({ its: { [`${kind}_max_filesize`]: 1, file_max_filesize: 9 } }),
      })
      expect(await upload(media, kind, bytes, {})).toMatchObject({ status: 200 })
      const over = new Uint8Array([...bytes, ...noise(2 * kilobyte)])
      for (const where of [{ before: 'its' }, { after: 'its' }])
        expect(await upload(tight, kind, over, where)).toMatchObject(tooLarge)
      expect(await tight.left()).toEqual(nothing)
    }
  })

  it.each(['{', '[]', '"x"', '{"a":1}', '{"a":{"file_max_filesize":0}}', '{"a":{"image_max_dimension":"big"}}'])(
    'of a configuration that is %s names UPLOAD_SCOPES in the error',
    async (UPLOAD_SCOPES) => {
      const media = fresh({ UPLOAD_SCOPES })
      const broken = refusal(503, 'not_configured')
      expect(await upload(media, 'file', 'x', { before: 'a' })).toMatchObject(broken)
      expect(await upload(media, 'file', 'x', { after: 'a' })).toMatchObject(broken)
      expect(await media.left()).toEqual(nothing)
    },
  )

  it.each(['0', '-1', 'much', '1.5'])('cannot be read if UPLOAD_MAX_FILESIZE is %s', async (UPLOAD_MAX_FILESIZE) => {
    const media = fresh({ UPLOAD_MAX_FILESIZE })
    expect(await upload(media, 'file', 'x', {})).toMatchObject(refusal(503, 'not_configured'))
    expect(await media.left()).toEqual(nothing)
  })
})
