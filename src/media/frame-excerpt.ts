// Cuts the few packets that one frame is decoded from out of an mp4, so that the container gets no more than these.
import {
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { failure } from './errors.ts'
import { mediabunnySource, type RandomAccessFile } from './random-access.ts'

/** Maximum size of an excerpt. If a frame needs more packets, the excerpt has only the key frame before it. */
const maxExcerptBytes = 12 * 1024 * 1024

interface FrameExcerpt {
  /** An mp4 that has only the packets from which the frame is decoded. */
  bytes: Uint8Array<ArrayBuffer>
  /**
   * Time of the frame in the excerpt, in seconds. Half a frame earlier than the frame begins, so that rounding cannot select the
   * next frame.
   */
  t: number
}

/**
 * Extracts the packets that the frame at `t` seconds is decoded from; those of the last frame if the video is shorter. Use this only
 * for an mp4 that the media container made: a crafted file could keep the library busy forever.
 */
export async function extractFramePackets(file: RandomAccessFile, t: number): Promise<FrameExcerpt> {
  const input = new Input({ formats: [MP4], source: mediabunnySource(file) })
  try {
    const track = await input.getPrimaryVideoTrack()
    const excerpt = track && (await excerptOf(track, t))
    if (excerpt) return excerpt
  } finally {
    input.dispose()
  }
  throw failure('media_failed', `The video has no frame at ${t} seconds.`)
}

async function excerptOf(track: InputVideoTrack, t: number): Promise<FrameExcerpt | undefined> {
  const sink = new EncodedPacketSink(track)
  const shown = (await sink.getPacket(t)) ?? (await sink.getFirstPacket())
  const key = shown && ((await sink.getKeyPacket(shown.timestamp)) ?? (await sink.getFirstPacket()))
  if (!key) return undefined
  const packets = await packetsUntil(sink, key, shown)
  const last = packets.at(-1)!
  return { bytes: await muxed(track, packets), t: Math.max(0, last.timestamp - key.timestamp - last.duration / 2) }
}

/**
 * Yields the packets up to the wanted frame, in decoding order. A packet that follows the key frame but is displayed before it is
 * left out: it depends on packets that the excerpt does not have.
 */
async function packetsUntil(
  sink: EncodedPacketSink,
  key: EncodedPacket,
  shown: EncodedPacket,
): Promise<EncodedPacket[]> {
  const packets = [key]
  let size = key.byteLength
  for (let at: EncodedPacket | null = key; at.sequenceNumber !== shown.sequenceNumber; ) {
    at = await sink.getNextPacket(at)
    size += at?.byteLength ?? 0
    if (!at || size > maxExcerptBytes) return [key]
    if (at.timestamp >= key.timestamp) packets.push(at)
  }
  return packets
}

async function muxed(track: InputVideoTrack, packets: EncodedPacket[]): Promise<Uint8Array<ArrayBuffer>> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('The codec of the video track is unknown')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await track.getRotation() })
  await output.start()
  const start = packets[0]!.timestamp
  for (const packet of packets) {
    await source.add(packet.clone({ timestamp: packet.timestamp - start }), { decoderConfig })
  }
  await output.finalize()
  return new Uint8Array(target.buffer!)
}
