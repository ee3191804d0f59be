// Health checks of the email component: one for each SMTP server.
import type { Probe } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { serversOf } from './servers.ts'
import { domainOf, senderOf } from './settings.ts'
import { greet } from './smtp/greet.ts'

/** Checks for `/_health`: `smtp`, or with `SMTP_SERVERS` one for each server, such as `smtp_main`. */
export function probesOf(env: Env): Record<string, Probe> {
  if (!env.SMTP_SERVERS) return { smtp: async () => greet(serversOf(env)[0], domainOf(senderOf(env))) }
  try {
    return Object.fromEntries(
      serversOf(env).map((server) => [`smtp_${server.name}`, () => greet(server, domainOf(senderOf(env)))]),
    )
  } catch (error) {
    return { smtp: () => Promise.reject(error) }
  }
}
