// Tests transcoding with each kind of ffmpeg, native and WebAssembly.
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { beginsAs, clip, isFastStart, kinds } from './clips.ts'
import { ask, download, transcode, useServer } from './server.ts'

describe.each(kinds)('with ffmpeg %s', (kind) => {
  const server = useServer({ FFMPEG: kind === 'native' ? 'ffmpeg' : 'wasm' })

  it('reports its kind', async () => {
    expect(await ask(server, 'GET', '/health')).toMatchObject({ status: true, ffmpeg: kind, jobs: 0 })
  })

  it.each([true, false])('copies the streams of a suitable mp4; streamable: %s', async (is_streamable) => {
    const { id, state, result } = await transcode(server, clip, { is_streamable, may_copy: true })
    expect(state).toBe('ready')
    expect(result).toMatchObject({ width: 160, height: 120 })
    const video = await download(server, 'GET', `/jobs/${id}/result`)
    expect(video.length).toBe(result!.size)
    expect(beginsAs(video, clip)).toBe(true)
    expect(isFastStart(video)).toBe(true)
    expect(await ask(server, 'DELETE', `/jobs/${id}`)).toMatchObject({ http: 200, status: true })
    expect(server.files()).toEqual([])
  })

  it('scales down, with a preview of the same size', async () => {
    const { id, state, result, progress } = await transcode(server, clip, { max_dimension: 81 })
    expect({ state, progress }).toEqual({ state: 'ready', progress: 1 })
    expect(result).toMatchObject({ width: 80, height: 60 })
    expect(result!.duration).toBeCloseTo(2, 0)
    expect(isFastStart(await download(server, 'GET', `/jobs/${id}/result`))).toBe(true)
    const preview = await sharp(await download(server, 'GET', `/jobs/${id}/preview`)).metadata()
    expect(preview).toMatchObject({ format: 'jpeg', width: 80, height: 60 })
  })

  it('leaves out audio that it cannot decode', async () => {
    const source = Buffer.from(clip.toString('latin1').replace('mp4a', 'xxxx').replace('esds', 'xxxx'), 'latin1')
    const { id, state, result } = await transcode(server, source, { may_copy: true })
    expect({ state, result }).toMatchObject({ state: 'ready', result: { width: 160, height: 120 } })
    expect((await download(server, 'GET', `/jobs/${id}/result`)).includes('mp4a')).toBe(false)
  })

  it('extracts a frame of a video, and replies 422 if there is none', async () => {
    const before = server.files()
    const jpeg = await download(server, 'POST', '/frame?t=1.5', new Uint8Array(clip))
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 160, height: 120 })
    for (const [t, body] of [
      [50, clip],
      [0, Buffer.from('hello')],
    ] as const) {
      const answer = await ask(server, 'POST', `/frame?t=${t}`, new Uint8Array(body))
      expect(answer).toMatchObject({ http: 422, status_code: 'media_failed' })
    }
    expect(server.files()).toEqual(before)
  })

  it('rejects a file that is not a video', async () => {
    for (const source of [Buffer.alloc(0), Buffer.from('hello\n'.repeat(1000)), clip.subarray(0, 600)])
      expect(await transcode(server, source)).toMatchObject({ state: 'failed', failure: 'unreadable' })
  })
})
