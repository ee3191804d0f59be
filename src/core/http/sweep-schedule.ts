// Work of the sweeps that is not due every minute: each run calls durable objects, whose requests are billed.

/** Work that a component does every minute, or every `everyMinutes` minutes. */
export interface Sweep<Env> {
  (env: Env): Promise<void>
  everyMinutes?: number
}

/** Makes work that is done every `minutes` minutes in a deployment. */
export const every = <Env>(minutes: number, sweep: (env: Env) => Promise<void>): Sweep<Env> =>
  Object.assign((env: Env) => sweep(env), { everyMinutes: minutes })

/**
 * Whether work of every `minutes` minutes is due at the minute of a cron trigger, in milliseconds since 1970. Always without a time:
 * requests cost nothing on a local start.
 */
export const isDue = (minutes: number, at: number | undefined): boolean =>
  at === undefined || Math.floor(at / 60_000) % minutes === 0
