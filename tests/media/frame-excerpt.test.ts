// Tests that an excerpt of an mp4 has exactly the packets from which one frame is decoded.
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { extractFramePackets } from '#media/frame-excerpt'
import { openBytes } from '#media/random-access'
import { fixture, inStorage } from '../support/media/clips.ts'

/** Returns the frames of a video in the order of decoding: the time of each, and whether it is a key frame. */
async function framesOf(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const sink = new EncodedPacketSink((await input.getPrimaryVideoTrack())!)
  const frames: { t: number; isKey: boolean; data: Uint8Array }[] = []
  for await (const { timestamp, type, data } of sink.packets())
    frames.push({ t: timestamp, isKey: type === 'key', data })
  return frames
}

/** A video with ten frames a second. Every tenth frame is a key frame. */
const film = () => fixture('film.mp4')

/**
 * Makes a video of a key frame followed by `count` frames of a megabyte each, ten in a second. Its excerpts exceed the maximum
 * size.
 */
async function heavy(count: number) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(await film()) })
  const track = (await input.getPrimaryVideoTrack())!
  const decoderConfig = (await track.getDecoderConfig())!
  const key = (await new EncodedPacketSink(track).getFirstPacket())!
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource((await track.getCodec())!)
  output.addVideoTrack(source)
  await output.start()
  await source.add(key, { decoderConfig })
  const data = new Uint8Array(1024 * 1024)
  for (let i = 1; i <= count; i++) await source.add(key.clone({ data, type: 'delta', timestamp: i / 10 }))
  await output.finalize()
  return { bytes: new Uint8Array(target.buffer!), duration: count / 10 + 0.05 }
}

describe('an excerpt of packets', () => {
  it.each([0, 0.05, 0.1, 0.77, 0.99, 1, 1.55, 2.9, 2.99])(
    'for second %d begins at its key frame and ends with its frame',
    async (t) => {
      const bytes = await film()
      const frames = await framesOf(bytes)
      const cut = await extractFramePackets(await inStorage(bytes), t)
      const kept = await framesOf(cut.bytes)
      const shown = frames.filter((frame) => frame.t <= t + 1e-6).reduce((a, b) => (a.t > b.t ? a : b))
      expect(kept[0]).toMatchObject({ isKey: true, t: 0 })
      expect(kept.at(-1)!.data).toEqual(shown.data)
      expect(kept.at(-1)!.t).toBeCloseTo(shown.t - Math.floor(shown.t + 1e-6), 3)
      expect(kept.filter(({ isKey }) => isKey)).toHaveLength(1)
      expect(cut.t).toBeLessThanOrEqual(kept.at(-1)!.t)
      expect(cut.t).toBeGreaterThan(kept.at(-1)!.t - 0.1)
    },
  )

  it('has the last frame if the video is shorter', async () => {
    const bytes = await film()
    const last = await extractFramePackets(openBytes(bytes), 1000)
    expect(last).toEqual(await extractFramePackets(openBytes(bytes), 2.95))
  })

  it('is a small part of the video', async () => {
    const bytes = await film()
    expect((await extractFramePackets(openBytes(bytes), 1)).bytes.length).toBeLessThan(bytes.length / 2)
  })

  it.each([
    [11, 12],
    [13, 1],
  ])('with %i packets of a megabyte after the key frame has %i packets in all', async (count, kept) => {
    const { bytes, duration } = await heavy(count)
    const cut = await extractFramePackets(openBytes(bytes), duration)
    expect(await framesOf(cut.bytes)).toHaveLength(kept)
    expect(cut.t).toBeLessThanOrEqual(duration)
  })

  it('has no audio', async () => {
    const { bytes } = await extractFramePackets(openBytes(await film()), 1)
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
    expect((await input.getTracks()).map(({ type }) => type)).toEqual(['video'])
    expect(await input.getFormat()).toMatchObject({ name: 'MP4' })
  })

  it('is rejected for a file without a video track', async () => {
    await expect(extractFramePackets(openBytes(await fixture('tone.m4a')), 0)).rejects.toMatchObject({ status: 422 })
  })
})
