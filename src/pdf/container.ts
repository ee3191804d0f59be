import { containerClient } from '#core/outgoing/container'
import type { Env } from './bindings.ts'

/** Client of the Chromium container, which prints: at `CHROMIUM_CONTAINER_URL`, else the bound container, else none. */
export const { containerOf, requireContainer, probeContainer, unavailable } = containerClient({
  label: 'The Chromium container',
  advice: 'Deploy the Chromium container, or set CHROMIUM_CONTAINER_URL.',
  placeOf: (env: Pick<Env, 'CHROMIUM_CONTAINER' | 'CHROMIUM_CONTAINER_URL' | 'CHROMIUM_CONTAINER_TOKEN'>) => ({
    bound: env.CHROMIUM_CONTAINER,
    url: env.CHROMIUM_CONTAINER_URL,
    token: env.CHROMIUM_CONTAINER_TOKEN,
  }),
})
