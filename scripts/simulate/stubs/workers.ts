// Stands for the module `cloudflare:workers` in a simulation.

export class DurableObject<Env> {
  protected readonly ctx: unknown
  protected readonly env: Env

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx
    this.env = env
  }
}

export class WorkerEntrypoint<Env> extends DurableObject<Env> {}

export const env = {}

export const waitUntil = (promise: Promise<unknown>) => void promise.catch(() => undefined)
