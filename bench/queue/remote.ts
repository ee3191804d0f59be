// Calls functions of a child process of a benchmark, one call after the other.
import { fork } from 'node:child_process'
import { once } from 'node:events'

type Verb = (...args: never[]) => unknown
type Verbs<T> = { [K in keyof T]: Verb }

interface Call {
  verb: string
  args: never[]
}
type Reply = { result: unknown } | { error: string }

/** The functions of another process, which return promises. */
export type Remote<T extends Verbs<T>> = {
  [K in keyof T]: (...args: Parameters<T[K]>) => Promise<Awaited<ReturnType<T[K]>>>
} & {
  /** Ends the process. */
  end(): Promise<void>
}

/** Starts a module that serves these functions. Resolves when the module is ready. */
export async function start<T extends Verbs<T>>(module: string, ...settings: string[]): Promise<Remote<T>> {
  const child = fork(module, settings)
  const gone = new AbortController()
  child.once('exit', () => gone.abort(new Error(`${module} has ended`)))
  const answer = async () => {
    const [reply] = (await once(child, 'message', { signal: gone.signal })) as [Reply]
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  }
  await answer()
  const end = async () => {
    if (!child.connected) return
    child.disconnect()
    await once(child, 'exit')
  }
  const call = (verb: string) =>
    verb === 'end'
      ? end
      : (...args: never[]) => {
          child.send({ verb, args } satisfies Call)
          return answer()
        }
  // `then` is not a remote function: otherwise `await` would take the proxy for a promise.
  return new Proxy({} as Remote<T>, { get: (_, verb) => (verb === 'then' ? undefined : call(String(verb))) })
}

/** Serves functions to the parent process. Exits when the parent does. */
export function serve<T extends Verbs<T>>(verbs: T) {
  const reply = (message: Reply) => process.send?.(message)
  process.on('message', async ({ verb, args }: Call) => {
    try {
      reply({ result: await (verbs[verb as keyof T] as Verb)(...args) })
    } catch (error) {
      reply({ error: String(error) })
    }
  })
  process.once('disconnect', () => process.exit())
  reply({ result: 'ready' })
}
