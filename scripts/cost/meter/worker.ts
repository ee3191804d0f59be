// The meter around a Worker in a cost measurement: counts its invocations and the use of its bindings, and reports both
// over HTTP.
import { meterConsole, meteredBindings, meterFetch } from './bindings.ts'
import { atWork, counts, metered } from './counts.ts'

type Entry = new (context: ExecutionContext, env: object) => { fetch(request: Request): Promise<Response> }

/** Path at which a Worker reports its usage. */
const meterPath = '/_metered'

let bindings: object | undefined

/** Wraps the entry of a Worker in meters. */
export function meteredWorker(Base: Entry): Entry {
  meterFetch()
  meterConsole()
  const Metered = class extends Base {
    constructor(context: ExecutionContext, env: object) {
      // The bindings are wrapped once for all requests, because components cache data per binding.
      bindings ??= meteredBindings(env)
      super(context, bindings)
    }

    override async fetch(request: Request): Promise<Response> {
      if (new URL(request.url).pathname === meterPath) return Response.json(metered())
      counts.invocations++
      return atWork(() => super.fetch(request))
    }
  }
  for (const name of rpcMethodsOf(Base)) {
    const method = Reflect.get(Base.prototype, name) as (...values: unknown[]) => Promise<unknown>
    Object.defineProperty(Metered.prototype, name, {
      value(this: object, ...values: unknown[]) {
        counts.invocations++
        return atWork(async () => Reflect.apply(method, this, values))
      },
    })
  }
  return Metered
}

/** The methods that other Workers call through a binding, such as `sweep`. */
function rpcMethodsOf(Base: Entry): string[] {
  const own = Object.getOwnPropertyDescriptors(Base.prototype)
  return Object.keys(own).filter((name) => !['constructor', 'fetch'].includes(name) && own[name]!.value)
}
