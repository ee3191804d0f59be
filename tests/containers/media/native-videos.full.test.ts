// Tests videos that native ffmpeg transcodes: formats, rotation, HDR and frame rates.
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  canToneMap,
  digests,
  frame,
  h264,
  hasNative,
  isFastStart,
  keyFrames,
  make,
  type Probed,
  pattern,
  probe,
  tone,
  turned,
} from './clips.ts'
import { download, transcode, useServer } from './server.ts'

describe.runIf(hasNative)('an mp4 is made', () => {
  const server = useServer({ FFMPEG: 'ffmpeg' })

  const videoOf = async (source: Buffer, options: Parameters<typeof transcode>[2] = {}) => {
    const job = await transcode(server, source, options)
    expect(job).toMatchObject({ state: 'ready' })
    const video = await download(server, 'GET', `/jobs/${job.id}/result`)
    return { video, result: job.result!, ...probe(video) }
  }

  const expectPlayable = ({ video, streams, chapters, packets, format }: Probed & { video: Buffer }) => {
    expect(isFastStart(video)).toBe(true)
    expect(streams[0]).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', sample_aspect_ratio: '1:1' })
    expect(streams[0]!.profile).toMatch(/^(Constrained Baseline|Baseline|Main|High)$/)
    expect(streams[0]!.side_data_list).toBeUndefined()
    expect(streams.slice(1).map(({ codec_name, channels }) => ({ codec_name, channels }))).toEqual(
      streams.length > 1 ? [{ codec_name: 'aac', channels: 2 }] : [],
    )
    expect(chapters).toEqual([])
    const times = [...keyFrames({ packets }), Number(format.duration)]
    for (const [at, time] of times.slice(1).entries()) expect(time - times[at]!).toBeLessThanOrEqual(2.05)
  }

  const both = [...pattern('160x120', 5), ...tone(5)]

  it.each([
    ['mov', [...both, ...h264, '-c:a', 'aac'], 'a.mov'],
    [
      'HEVC',
      [...both, '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=0', '-tag:v', 'hvc1'],
      'a.mp4',
    ],
    ['10 bits', [...pattern(), '-c:v', 'libx264', '-pix_fmt', 'yuv422p10le'], 'a.mkv'],
    [
      'VP9 and Opus',
      [...both, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-c:a', 'libopus'],
      'a.webm',
    ],
    ['MPEG-4 and MP3', [...both, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'], 'a.avi'],
    ['an MPEG transport stream', [...both, '-c:v', 'mpeg2video', '-c:a', 'mp2'], 'a.ts'],
    ['an MPEG programme stream', [...both, '-c:v', 'mpeg2video', '-c:a', 'mp2'], 'a.mpg'],
    ['flv', [...both, '-c:v', 'flv', '-c:a', 'aac'], 'a.flv'],
    ['3gp', [...pattern('176x144', 5), ...tone(5), '-c:v', 'h263', '-c:a', 'aac'], 'a.3gp'],
    ['wmv', [...both, '-c:v', 'wmv2', '-c:a', 'wmav2'], 'a.wmv'],
    ['ProRes', [...pattern(), '-c:v', 'prores_ks'], 'a.mov'],
    ['Motion JPEG', [...pattern(), '-c:v', 'mjpeg'], 'a.mov'],
    ['a GIF', [...pattern('160x120', 3, 10)], 'a.gif'],
    ['no audio', [...pattern(), ...h264], 'a.mp4'],
    ['5.1 audio', [...pattern(), '-f', 'lavfi', '-i', 'anoisesrc=d=2', ...h264, '-c:a', 'ac3', '-ac', '6'], 'a.mkv'],
    ['odd sides', [...pattern('161x121'), '-c:v', 'ffv1'], 'a.mkv'],
  ])('%s', async (_, args, name) => {
    const source = probe(make(args, name))
    const made = await videoOf(make(args, name))
    expectPlayable(made)
    const { result, streams } = made
    const theirs = source.streams.find(({ codec_type }) => codec_type === 'video')
    const even = (side: number) => side - (side % 2)
    expect(streams[0]).toMatchObject({ width: even(theirs!.width), height: even(theirs!.height) })
    expect(result).toMatchObject({ width: streams[0]!.width, height: streams[0]!.height })
    expect(streams.length).toBe(source.streams.length)
  })

  it.each([
    ['320x240', 160, [160, 120]],
    ['240x320', 160, [120, 160]],
    ['1920x804', 1280, [1280, 536]],
    ['100x80', 1280, [100, 80]],
    ['640x10', 64, [64, 2]],
  ] as const)('%s within %i', async (size, max_dimension, [width, height]) => {
    const { result } = await videoOf(make([...pattern(size, 1, 5), '-c:v', 'ffv1'], 'a.mkv'), { max_dimension })
    expect(result).toMatchObject({ width, height })
  })

  it('of pixels that are not square', async () => {
    const source = make([...pattern('360x288', 1), '-vf', 'setsar=16/11', '-c:v', 'mpeg4'], 'a.mkv')
    const { result, streams } = await videoOf(source)
    expect(result).toMatchObject({ width: 524, height: 288 })
    expect(streams[0]).toMatchObject({ sample_aspect_ratio: '1:1' })
  })

  it.each([90, 180, 270])('of a video with a rotation of %i degrees', async (degrees) => {
    const halves = ['-f', 'lavfi', '-i', 'color=red:s=160x60:d=1', '-f', 'lavfi', '-i', 'color=blue:s=160x60:d=1']
    const upright = make([...halves, '-filter_complex', 'vstack', ...h264], 'a.mp4')
    const source = turned(upright, degrees)
    const { video, result, streams } = await videoOf(source, { may_copy: true })
    expect(streams[0]!.side_data_list).toBeUndefined()
    expect([result.width, result.height]).toEqual(degrees === 180 ? [160, 120] : [120, 160])
    const [theirs, ours] = await Promise.all(
      [source, video].map((one) => sharp(frame(one, 0.5)).resize(2, 2, { fit: 'fill' }).raw().toBuffer()),
    )
    for (const [at, value] of ours!.entries()) expect(Math.abs(value - theirs![at]!)).toBeLessThan(30)
  })

  it.runIf(canToneMap).each(['smpte2084', 'arib-std-b67'])('of the high dynamic range of %s', async (transfer) => {
    const colours = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc']
    const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le']
    const source = make([...pattern('160x120', 1, 10), ...encode, ...colours], 'a.mp4')
    expect(probe(source).streams[0]).toMatchObject({ color_transfer: transfer })
    const made = await videoOf(source)
    expectPlayable(made)
    expect(made.streams[0]).toMatchObject({ color_transfer: 'bt709' })
  })

  it('with the timestamps of the frames', async () => {
    const source = make(
      [...pattern('160x120', 4, 30), '-vf', "select='not(mod(n,7))+lt(n,30)'", '-fps_mode', 'vfr', ...h264],
      'a.mkv',
    )
    const made = await videoOf(source)
    expectPlayable(made)
    const [frames, seconds] = made.streams[0]!.avg_frame_rate.split('/').map(Number)
    expect(frames! / seconds!).toBeLessThan(31)
  })

  it('of the first video and audio track, without others', async () => {
    const files = { 'in.srt': Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHello\n'), 'a.txt': Buffer.from('hello') }
    const inputs = [...pattern('160x120'), ...pattern('80x80'), ...tone(), ...tone(), '-i', 'in.srt']
    const maps = [0, 1, 2, 3, 4].flatMap((input) => ['-map', String(input)])
    const titles = ['-metadata', 'title=Secret', '-metadata:s:v', 'title=Secret']
    const attached = ['-attach', 'a.txt', '-metadata:s:t', 'mimetype=text/plain']
    const source = make(
      [...inputs, ...maps, ...titles, ...attached, ...h264, '-c:a', 'aac', '-c:s', 'srt'],
      'a.mkv',
      files,
    )
    for (const may_copy of [true, false]) {
      const { video, streams } = await videoOf(source, { may_copy })
      expect(streams.map(({ codec_type, width }) => ({ codec_type, width }))).toEqual([
        { codec_type: 'video', width: 160 },
        { codec_type: 'audio' },
      ])
      expect(video.includes('Secret')).toBe(false)
    }
  })

  it('as a copy, packet by packet', async () => {
    for (const name of ['a.mp4', 'a.mkv']) {
      const source = make([...both, ...h264, '-c:a', 'aac'], name)
      const { video } = await videoOf(source, { may_copy: true })
      expect(digests(video)).toEqual(digests(source))
      expect(isFastStart(video)).toBe(true)
    }
  })

  it('as a copy of a streamed transport stream', async () => {
    const source = make([...both, ...h264, '-c:a', 'aac'], 'a.ts')
    const { streams, packets } = await videoOf(source, { may_copy: true, is_streamable: true })
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
    // The source has one key frame, and the copy keeps that. An encoded video would have more.
    expect(keyFrames({ packets })).toHaveLength(1)
  })

  it('with copies of only the suitable streams', async () => {
    const withMp3 = make([...both, ...h264, '-c:a', 'libmp3lame'], 'a.mkv')
    const { video, streams } = await videoOf(withMp3, { may_copy: true })
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
    expect(digests(video)[0]).toBe(digests(withMp3)[0])
    const tooLarge = make([...both, ...h264, '-c:a', 'aac'], 'a.mp4')
    const { result } = await videoOf(tooLarge, { may_copy: true, max_dimension: 100 })
    expect(result).toMatchObject({ width: 100, height: 76 })
  })

  it('without copies unless requested', async () => {
    const source = make([...both, ...h264, '-c:a', 'aac'], 'a.mp4')
    const [video, audio] = digests((await videoOf(source)).video)
    expect(digests(source)).not.toContain(video)
    expect(digests(source)).not.toContain(audio)
  })

  it('of a stream, without storing the source', async () => {
    for (const name of ['a.mkv', 'a.ts', 'a.flv'])
      expectPlayable(await videoOf(make([...both, ...h264, '-c:a', 'aac'], name), { is_streamable: true }))
  })

  it('not as a copy of a file that only looks like a stream', async () => {
    const source = make([...both, ...h264], 'a.mp4')
    expect(isFastStart(source)).toBe(false)
    expect(await transcode(server, source, { is_streamable: true })).toMatchObject({
      state: 'failed',
      failure: 'stream',
    })
  })

  it('of the readable part of a truncated file', async () => {
    const source = make([...both, ...h264], 'a.mkv')
    const { result } = await videoOf(source.subarray(0, source.length * 0.6))
    expect(result.duration).toBeGreaterThan(1)
    expect(result.duration).toBeLessThan(5)
  })

  it('with a preview that is not black', async () => {
    const black = ['-f', 'lavfi', '-i', 'color=black:s=160x120:r=10:d=1']
    const source = make([...black, ...pattern('160x120', 2, 10), '-filter_complex', 'concat', '-c:v', 'mpeg4'], 'a.mkv')
    const { id } = await transcode(server, source)
    const { channels } = await sharp(await download(server, 'GET', `/jobs/${id}/preview`)).stats()
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20)
  })

  it('with the brightest frame as its preview', async () => {
    const grey = (value: string) => ['-f', 'lavfi', '-i', `color=${value}:s=160x120:r=10:d=1`]
    const source = make(
      [...grey('black'), ...grey('#606060'), ...grey('black'), '-filter_complex', 'concat=n=3', '-c:v', 'mpeg4'],
      'a.mkv',
    )
    const { id } = await transcode(server, source)
    const { channels } = await sharp(await download(server, 'GET', `/jobs/${id}/preview`)).stats()
    expect(channels[0]!.mean).toBeGreaterThan(80)
  })

  it('not of audio alone, or of an image', async () => {
    const cover = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer()
    const maps = ['-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic']
    const withCover = ['-i', 'a.jpg', ...tone(), ...maps]
    const sources = [make(tone(), 'a.mp3'), make([...withCover, '-c:a', 'aac'], 'a.m4a', { 'a.jpg': cover }), cover]
    for (const source of sources)
      expect(await transcode(server, source)).toMatchObject({ state: 'failed', failure: 'unreadable' })
  })
})
