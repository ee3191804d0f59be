// Schemas of the replies with which the media container describes its transcoding jobs. containers/media/README.md describes the
// protocol.
import * as z from 'zod'

/**
 * State of a transcoding job. `failure` has two reasons that the API never shows, because another run follows: `stream` and
 * `out_of_disk`.
 */
export const ContainerJob = z.object({
  state: z.enum(['receiving', 'running', 'ready', 'failed']),
  /** Number of bytes of the source that the container has received. */
  offset: z.number(),
  progress: z.number(),
  failure: z
    .enum(['unreadable', 'stream', 'too_long', 'too_large', 'out_of_memory', 'out_of_disk', 'killed'])
    .nullish(),
  result: z.object({ size: z.int(), width: z.int(), height: z.int(), duration: z.number() }).nullish(),
})
export type ContainerJob = z.infer<typeof ContainerJob>
export type TranscodedVideo = NonNullable<ContainerJob['result']>

export const JobReply = z.object({ job: ContainerJob })
