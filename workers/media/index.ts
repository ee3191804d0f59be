// The Worker of the media store: exports its API and durable objects. Every minute it deletes unfinished uploads and
// restarts interrupted video jobs.
import { worker } from '#core/http/worker'
import { media } from '#media/index'
import { sweepPendingUploads, sweepVideos } from '#media/sweep'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Renditions } from '#media/renditions'
export { TusUpload } from '#media/tus-upload'
export { VideoJob } from '#media/video-job'
export default worker<MediaEnv>(media, sweepPendingUploads, sweepVideos)
