// The media service's client of its companion container, the Node server that runs ffmpeg.
import { containerClient } from '#core/outgoing/container'
import type { StorageEnv } from './env.ts'

/** Functions that find, call and probe the media container: the one at `MEDIA_CONTAINER_URL`, else the one that is bound. */
export const { containerOf, requireContainer, probeContainer, unavailable } = containerClient({
  label: 'The media container',
  advice: 'Deploy the media container, or set MEDIA_CONTAINER_URL.',
  placeOf: (env: Pick<StorageEnv, 'MEDIA_CONTAINER' | 'MEDIA_CONTAINER_URL' | 'MEDIA_CONTAINER_TOKEN'>) => ({
    bound: env.MEDIA_CONTAINER,
    url: env.MEDIA_CONTAINER_URL,
    token: env.MEDIA_CONTAINER_TOKEN,
  }),
})
