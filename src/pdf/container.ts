import { type ContainerPlace, companion } from '#core/outgoing/container'
import type { Env } from './env.ts'

type ContainerEnv = Pick<Env, 'CHROMIUM_CONTAINER' | 'CHROMIUM_CONTAINER_URL' | 'CHROMIUM_CONTAINER_TOKEN'>

const chromium = companion({
  called: 'The browser that prints',
  advice: 'Deploy the Chromium container, or set CHROMIUM_CONTAINER_URL',
})

const placeOf = (env: ContainerEnv): ContainerPlace => ({
  bound: env.CHROMIUM_CONTAINER,
  url: env.CHROMIUM_CONTAINER_URL,
  token: env.CHROMIUM_CONTAINER_TOKEN,
})

/** The container at `CHROMIUM_CONTAINER_URL`, else the one that is bound, else none. */
export const containerOf = (env: ContainerEnv) => chromium.at(placeOf(env))

/** The container; 503 where none is configured. */
export const requireContainer = (env: ContainerEnv) => chromium.required(placeOf(env))

export const { probe: probeContainer, unavailable } = chromium
