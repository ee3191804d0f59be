// Tests that crafted videos cannot make ffmpeg read other files or addresses.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clip, hasNative, kinds, make, pattern } from './clips.ts'
import { ask, transcode, useServer } from './server.ts'

/** Folder with a video and a picture that crafted files name. A server in the machine's network serves both too. */
const folder = mkdtempSync(join(tmpdir(), 'media-secret-'))
const secret = join(folder, 'secret.mp4')
const requestedUrls: string[] = []
const network = createServer({ keepAliveTimeout: 0 }, ({ url }, response) => {
  requestedUrls.push(url ?? '')
  response.end(clip)
})

beforeAll(async () => {
  writeFileSync(secret, clip)
  await new Promise<void>((done) => network.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  network.close()
  rmSync(folder, { recursive: true })
})

const scripts = (target: string) => ({
  hls: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`,
  'hls with a map': `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="${target}"\n#EXTINF:2,\n${target}\n#EXT-X-ENDLIST\n`,
  concat: `ffconcat version 1.0\nfile '${target}'\n`,
  'concat with a protocol': `ffconcat version 1.0\nfile 'file:${target}'\n`,
  dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  sdp: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="${target}" width="9" height="9"/></svg>`,
  'a list of files': `${target}\n`,
  ism: `<?xml version="1.0"?><SmoothStreamingMedia><StreamIndex Url="${target}"/></SmoothStreamingMedia>`,
})

const names = Object.keys(scripts('')) as (keyof ReturnType<typeof scripts>)[]

describe.each(kinds)('with ffmpeg %s', (kind) => {
  const isNative = kind === 'native'
  const server = useServer({ FFMPEG: isNative ? 'ffmpeg' : 'wasm', MAX_JOBS: '4' })

  async function expectUnopened(source: Buffer) {
    const [job, streamed, frame] = await Promise.all([
      transcode(server, source, { may_copy: true }),
      // The WebAssembly build reads no streams, so this case needs native ffmpeg.
      isNative && transcode(server, source, { is_streamable: true }),
      ask(server, 'POST', '/frame?t=0', new Uint8Array(source)),
    ])
    expect(job).toMatchObject({ failure: 'unreadable' })
    if (streamed) expect(streamed).toMatchObject({ state: 'failed' })
    expect(frame).toMatchObject({ http: 422 })
  }

  it.each(isNative ? names : names.slice(0, 3))('opens no other file that %s names', async (name) => {
    const { port } = network.address() as AddressInfo
    const targets = [secret, `http://127.0.0.1:${port}/secret.mp4`]
    await Promise.all(targets.map((target) => expectUnopened(Buffer.from(scripts(target)[name]))))
    expect(requestedUrls).toEqual([])
  })
})

describe.runIf(hasNative)('a crafted file', () => {
  const server = useServer({ FFMPEG: 'ffmpeg', MAX_PIXELS: '100000' })

  it('cannot reference tracks in other files', async () => {
    const source = make([...pattern('160x120'), '-c:v', 'mpeg4', '-movflags', '+faststart'], 'a.mov')
    // Changes the track's data reference: sets a path, and clears the flag that says "in this file".
    const at = source.indexOf('dref')
    expect(at).toBeGreaterThan(0)
    source.write('\0\0\0\0', source.indexOf('url ', at) + 4, 'latin1')
    expect((await transcode(server, source)).state).toMatch(/ready|failed/)
    expect(requestedUrls).toEqual([])
  })

  it('is rejected above the maximum number of pixels', async () => {
    const source = make([...pattern('640x480', 1, 5), '-c:v', 'mpeg4'], 'a.mkv')
    expect(await transcode(server, source)).toMatchObject({ state: 'failed', failure: 'unreadable' })
  })
})
