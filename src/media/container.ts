import { type ContainerPlace, companion } from '#core/outgoing/container'
import type { Env } from './env.ts'

type ContainerEnv = Pick<Env, 'MEDIA_CONTAINER' | 'MEDIA_CONTAINER_URL' | 'MEDIA_CONTAINER_TOKEN'>

const media = companion({
  called: 'The media container',
  advice: 'Deploy the media container, or set MEDIA_CONTAINER_URL',
})

const placeOf = (env: ContainerEnv): ContainerPlace => ({
  bound: env.MEDIA_CONTAINER,
  url: env.MEDIA_CONTAINER_URL,
  token: env.MEDIA_CONTAINER_TOKEN,
})

/** The container at `MEDIA_CONTAINER_URL`, else the one that is bound, else none. */
export const containerOf = (env: ContainerEnv) => media.at(placeOf(env))

/** The container; 503 where none is configured. */
export const requireContainer = (env: ContainerEnv) => media.required(placeOf(env))

export const { probe: probeContainer, unavailable } = media
