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
import { type RandomAccessFile, sourceOf } from './random-access.ts'

/** Bytes of packets that a cut has at most; where the frame needs more, the cut shows the key frame before it. */
const largest = 12 * 1024 * 1024

interface FrameExcerpt {
  /** An MP4 with nothing but the packets that the frame is decoded from. */
  bytes: Uint8Array<ArrayBuffer>
  /** The second of the frame in it: just before the frame begins, lest rounding lose it. */
  t: number
}

/**
 * What one has to decode for the frame that a video shows at second `t`; its last frame where it is shorter. Only for an
 * MP4 that the media container has made: the library can be kept busy for ever by one that is broken.
 */
export async function extractFramePackets(file: RandomAccessFile, t: number): Promise<FrameExcerpt> {
  const input = new Input({ formats: [MP4], source: sourceOf(file) })
  try {
    const track = await input.getPrimaryVideoTrack()
    const cut = track && (await cutTrack(track, t))
    if (cut) return cut
  } finally {
    input.dispose()
  }
  throw failure('media_failed', 'The video has no frame at the second t.')
}

async function cutTrack(track: InputVideoTrack, t: number): Promise<FrameExcerpt | undefined> {
  const sink = new EncodedPacketSink(track)
  const shown = (await sink.getPacket(t)) ?? (await sink.getFirstPacket())
  const key = shown && ((await sink.getKeyPacket(shown.timestamp)) ?? (await sink.getFirstPacket()))
  if (!key) return undefined
  const packets = await packetsUntil(sink, key, shown)
  const last = packets.at(-1)!
  return { bytes: await muxed(track, packets), t: Math.max(0, last.timestamp - key.timestamp - last.duration / 2) }
}

/** In the order of decoding. What follows a key frame and is shown before it needs what is not in the cut. */
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
    if (!at || size > largest) return [key]
    if (at.timestamp >= key.timestamp) packets.push(at)
  }
  return packets
}

async function muxed(track: InputVideoTrack, packets: EncodedPacket[]): Promise<Uint8Array<ArrayBuffer>> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('The codec is not known')
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
