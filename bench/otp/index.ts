// The Worker that measures the limiter of one-time passwords without HTTP and storage of the component.
import { Limiter } from '../../src/otp/limiter.ts'

interface Env {
  LIMITER: DurableObjectNamespace<Limiter>
}

export { Limiter }

/** Number of decisions that run concurrently. */
const atOnce = 32

/**
 * Makes decisions for `ms` milliseconds, with a limit of `rate` a minute and a number of keys. Returns how many
 * decisions were made, and how many of them accepted the call.
 */
export default {
  async fetch(request: Request, { LIMITER }: Env) {
    const { searchParams } = new URL(request.url)
    const [keys, rate, ms] = ['password-crypto', 'rate', 'ms'].map((name) => Number(searchParams.get(name))) as [
      number,
      number,
      number,
    ]
    const rules = [
      { minutes: 1, rate },
      { minutes: 60, rate: rate * 10 },
    ]
    const run = crypto.randomUUID()
    const end = Date.now() + ms
    let [decided, accepted] = [0, 0]
    const decide = async () => {
      while (Date.now() < end) {
        const reserved = await LIMITER.getByName(`${run} ${decided++ % keys}`).reserve(rules)
        if ('id' in reserved) accepted++
      }
    }
    await Promise.all(Array.from({ length: atOnce }, decide))
    return Response.json({ decided, accepted })
  },
}
