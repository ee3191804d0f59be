// How the clips of media tests are made: by ffmpeg, and then changed by hand for files that ffmpeg cannot make.

export interface Recipe {
  /** Arguments of ffmpeg before the name of the file. Without them, `edit` makes the whole file. */
  args?: string[]
  edit?: (made: Uint8Array) => Uint8Array
  /** Kind of the file, for the selection of clips. Default: audio. */
  is?: 'video' | 'other'
  /**
   * Whether ffprobe can only guess the duration from the bit rate at the beginning. Then the test compares with the
   * packets.
   */
  guessed?: boolean
}

const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]

/** Input arguments of ffmpeg: silence, then noise, so that an encoder with a variable bit rate really varies it. */
const uneven = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `aevalsrc='if(lt(t,${seconds / 2}),0,random(0)-0.5)':d=${seconds}:s=44100`],
]

const picture = (seconds: number, size = '320x240') => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=25:duration=${seconds}`],
]

const film = (seconds: number) => [...picture(seconds), ...tone(seconds)]

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function id3v2(size: number): Uint8Array {
  const tag = new Uint8Array(10 + size)
  tag.set(ascii('ID3\x04\0\0'))
  tag.set(
    [21, 14, 7, 0].map((shift) => (size >> shift) & 127),
    6,
  )
  return tag
}

/** An APE tag of this size, as large as one that contains a picture. */
function ape(size: number): Uint8Array {
  const tag = new Uint8Array(size + 32).fill(0xff)
  tag.set(ascii('APETAGEX'), size)
  const view = new DataView(tag.buffer, size)
  view.setUint32(8, 2000, true)
  view.setUint32(12, size + 32, true)
  view.setUint32(16, 1, true)
  view.setUint32(20, 0, true)
  tag.fill(0, size + 24)
  return tag
}

const id3v1 = () => joined(ascii('TAG'), new Uint8Array(125))

function patched(bytes: Uint8Array, at: number, ...values: number[]): Uint8Array {
  const copy = bytes.slice()
  copy.set(values, at)
  return copy
}

function indexOf(bytes: Uint8Array, text: string): number {
  return new TextDecoder('latin1').decode(bytes).indexOf(text)
}

/**
 * Returns a function that sets the sizes in a WAV's headers to this value, as programs leave them that cannot seek
 * back.
 */
const unfinishedWav = (value: number) => (bytes: Uint8Array) => {
  const size = [value, value, value, value]
  return patched(patched(bytes, 4, ...size), indexOf(bytes, 'data') + 4, ...size)
}

/** Changes the matrix of a track so that it is shown rotated by 90 degrees. */
const onItsSide = (bytes: Uint8Array) =>
  patched(bytes, indexOf(bytes, 'tkhd') + 44, ...[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0])

/** Builds an AMR file: silent frames of each mode in turn. */
function amr(header: string, sizes: number[], count: number): Uint8Array {
  const frames = Array.from({ length: count }, (_, i) => {
    const frame = new Uint8Array(sizes[i % sizes.length]!)
    frame[0] = ((i % sizes.length) << 3) | 4
    return frame
  })
  return joined(ascii(header), ...frames)
}

const audio: Record<string, Recipe> = {
  'cbr.mp3': { args: [...tone(10), '-b:a', '128k'] },
  'cbr-bare.mp3': {
    args: [...tone(10), '-b:a', '64k', '-write_xing', '0', '-id3v2_version', '0'],
  },
  'vbr.mp3': { args: [...uneven(20), '-q:a', '4'] },
  'vbr-bare.mp3': { args: [...uneven(20), '-q:a', '4', '-write_xing', '0', '-id3v2_version', '0'], guessed: true },
  'mono-22k.mp3': { args: [...tone(5), '-ac', '1', '-ar', '22050', '-b:a', '32k'] },
  'mono-8k-bare.mp3': { args: [...tone(5), '-ac', '1', '-ar', '8000', '-b:a', '16k', '-write_xing', '0'] },
  'large-tags.mp3': {
    args: [...tone(7), '-b:a', '96k', '-id3v2_version', '0', '-write_xing', '0'],
    edit: (bytes) => joined(id3v2(700_000), bytes, ape(300_000), id3v1()),
    guessed: true,
  },
  'vbr-tags.mp3': {
    args: [...uneven(12), '-q:a', '3', '-id3v2_version', '0'],
    edit: (bytes) => joined(id3v2(400_000), bytes, ape(2_000), id3v1()),
  },
  'two-tags.mp3': {
    args: [...tone(4), '-id3v2_version', '0'],
    edit: (bytes) => joined(id3v2(1000), id3v2(3000), new Uint8Array(900), bytes),
  },
  'cover.mp3': {
    args: [...tone(6), ...picture(1), '-map', '0', '-map', '1', '-frames:v', '1', '-c:v', 'png', '-id3v2_version', '3'],
  },
  'two.mp2': { args: [...tone(8), '-f', 'mp2', '-b:a', '192k'] },
  'adts.aac': { args: [...uneven(15), '-c:a', 'aac', '-f', 'adts'], guessed: true },
  'tagged.aac': {
    args: [...tone(6), '-c:a', 'aac', '-f', 'adts'],
    edit: (bytes) => joined(id3v2(5000), bytes),
    guessed: true,
  },
  'plain.m4a': { args: [...tone(9), '-c:a', 'aac'] },
  'faststart.m4a': { args: [...tone(9), '-c:a', 'aac', '-movflags', '+faststart'] },
  'fragmented.m4a': {
    args: [...tone(9), '-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov', '-frag_duration', '1000000'],
    guessed: true,
  },
  'alac.m4a': { args: [...tone(3), '-c:a', 'alac'] },
  'cover.m4a': {
    args: [
      ...[...tone(6), ...picture(1), '-map', '0', '-map', '1', '-frames:v', '1'],
      ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-disposition:v', 'attached_pic', '-c:a', 'aac'],
    ],
  },
  'pcm.wav': { args: [...tone(5)] },
  'pcm24.wav': { args: [...tone(5), '-c:a', 'pcm_s24le', '-ac', '2'] },
  'float.wav': { args: [...tone(5), '-c:a', 'pcm_f32le'] },
  'alaw.wav': { args: [...tone(5), '-c:a', 'pcm_alaw', '-ar', '8000'] },
  'adpcm.wav': { args: [...tone(5), '-c:a', 'adpcm_ima_wav'] },
  'zero.wav': { args: [...tone(5)], edit: unfinishedWav(0) },
  'endless.wav': { args: [...tone(5)], edit: unfinishedWav(255) },
  'rf64.wav': { args: [...tone(5), '-rf64', 'always'] },
  'plain.flac': { args: [...tone(8)] },
  'unknown.flac': {
    args: [...uneven(8)],
    // Clears the number of samples, the last 36 bits before the checksum, which means unknown.
    edit: (bytes) => patched(bytes, 21, bytes[21]! & 0xf0, 0, 0, 0, 0),
    guessed: true,
  },
  'tagged.flac': { args: [...tone(4)], edit: (bytes) => joined(id3v2(2000), bytes) },
  'vorbis.ogg': { args: [...uneven(11), '-c:a', 'libvorbis'] },
  'opus.ogg': { args: [...tone(11), '-c:a', 'libopus'] },
  'flac.oga': { args: [...tone(5), '-c:a', 'flac', '-f', 'ogg'] },
  'speex.ogg': { args: [...tone(5), '-c:a', 'libspeex', '-ar', '16000'] },
  'opus.webm': { args: [...tone(7), '-c:a', 'libopus'] },
  'live.webm': { args: [...tone(7), '-c:a', 'libopus', '-live', '1'], guessed: true },
  'vorbis.mka': { args: [...tone(7), '-c:a', 'libvorbis'] },
  'narrow.amr': { edit: () => amr('#!AMR\n', [13, 14, 16, 18, 20, 21, 27, 32, 6], 500), guessed: true },
  'wide.awb': { edit: () => amr('#!AMR-WB\n', [18, 24, 33, 37, 41, 47, 51, 59, 61, 6], 300), guessed: true },
  'plain.aiff': { args: [...tone(5)] },
  'float.aifc': { args: [...tone(5), '-c:a', 'pcm_f32be', '-f', 'aiff'] },
  'pcm.caf': { args: [...tone(5), '-c:a', 'pcm_s16be'] },
  'alac.caf': { args: [...tone(5), '-c:a', 'alac'] },
  'plain.wma': { args: [...tone(5), '-c:a', 'wmav2'] },
}

const video: Record<string, Recipe> = {
  'plain.mp4': { args: [...film(4), ...h264], is: 'video' },
  'faststart.mp4': { args: [...film(4), ...h264, '-movflags', '+faststart'], is: 'video' },
  'fragmented.mp4': { args: [...film(4), ...h264, '-movflags', '+frag_keyframe+empty_moov'], is: 'video' },
  'mute.mp4': { args: [...picture(3), ...h264], is: 'video' },
  'h264.mov': { args: [...film(4), ...h264], is: 'video' },
  'mjpeg.mov': { args: [...film(4), '-c:v', 'mjpeg', '-c:a', 'pcm_s16le'], is: 'video' },
  'wide.mp4': { args: [...picture(2), '-vf', 'setsar=4/3', ...h264], is: 'video' },
  'wide.mkv': { args: [...picture(2), '-vf', 'setsar=4/3', '-c:v', 'mpeg4'], is: 'video' },
  'turned.mp4': { args: [...picture(2), ...h264], edit: onItsSide, is: 'video' },
  'hevc.mp4': { args: [...film(2), '-c:v', 'libx265', '-preset', 'ultrafast', '-c:a', 'aac'], is: 'video' },
  'h264.mkv': { args: [...film(4), ...h264], is: 'video' },
  'mpeg4.mkv': { args: [...film(4), '-c:v', 'mpeg4', '-c:a', 'mp3'], is: 'video' },
  'vp9.webm': { args: [...film(2), '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus'], is: 'video' },
  'live-vp8.webm': { args: [...film(2), '-c:v', 'libvpx', '-c:a', 'libvorbis', '-live', '1'], is: 'video' },
  'theora.ogv': { args: [...film(3), '-c:v', 'libtheora', '-c:a', 'libvorbis'], is: 'video' },
  'stream.ts': { args: [...film(3), ...h264], is: 'video' },
  'flash.flv': { args: [...film(3), '-c:v', 'flv', '-ar', '44100', '-c:a', 'mp3'], is: 'video' },
  'xvid.avi': { args: [...film(3), '-c:v', 'mpeg4', '-c:a', 'mp3'], is: 'video' },
  'plain.wmv': { args: [...film(3), '-c:v', 'wmv2', '-c:a', 'wmav2'], is: 'video' },
  'program.mpg': { args: [...film(3), '-c:v', 'mpeg1video', '-c:a', 'mp2'], is: 'video' },
  'moving.gif': { args: [...picture(2, '64x48')], is: 'video' },
  'cuts.mp4': {
    args: [...film(12), ...h264, '-g', '50', '-bf', '2', '-preset', 'veryfast', '-movflags', '+faststart'],
    is: 'video',
  },
}

const other: Record<string, Recipe> = {
  'still.png': { args: [...picture(1), '-frames:v', '1'], is: 'other' },
  'still.jpg': { args: [...picture(1), '-frames:v', '1'], is: 'other' },
  'still.webp': { args: [...picture(1), '-frames:v', '1'], is: 'other' },
}

export const recipes: Record<string, Recipe> = { ...audio, ...video, ...other }

export const namesOf = (kind: 'audio' | 'video' | 'other') =>
  Object.keys(recipes).filter((name) => (recipes[name]!.is ?? 'audio') === kind)
