import { meteredBindings, meterFetch } from './bindings.ts'
import { atWork, counts, metered } from './counts.ts'

type Entry = new (context: ExecutionContext, env: object) => { fetch(request: Request): Promise<Response> }

/** Where a Worker says what it has used. */
const meterPath = '/_metered'

let bindings: object | undefined

/** A Worker's entry whose use of everything counts. */
export function meteredWorker(Base: Entry): Entry {
  meterFetch()
  return class extends Base {
    constructor(context: ExecutionContext, env: object) {
      // One for all requests: what a component keeps is kept for its bindings.
      bindings ??= meteredBindings(env)
      super(context, bindings)
    }

    override async fetch(request: Request): Promise<Response> {
      if (new URL(request.url).pathname === meterPath) return Response.json(metered())
      counts.invocations++
      return atWork(() => super.fetch(request))
    }
  }
}
