// Runs a search engine of the benchmark in a separate process, in any language. Each line of input is a JSON array of a
// function name and its arguments; each line of output is an object with `result` or `error`, the first one with the
// result `ready`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SearchContender } from './contender.ts'

/** Starts the process of a search engine. Resolves when it is ready. */
export async function startChild(command: string, ...settings: string[]): Promise<SearchContender> {
  const child = spawn(command, settings, { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child, 'spawn')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${settings.join(' ')} has ended`)
    const reply = JSON.parse(value) as { result: unknown } | { error: string }
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  }
  const call = <T>(...verb: [keyof SearchContender, ...unknown[]]) => {
    child.stdin.write(`${JSON.stringify(verb)}\n`)
    // The type of the result is not checked: the started file decides it.
    return answer() as Promise<T>
  }
  await answer()
  return {
    index: (file) => call('index', file),
    search: (kind, texts) => call('search', kind, texts),
    size: () => call('size'),
    end: async () => {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Serves a search engine to the parent process. Exits when its input ends. */
export async function serve({ index, search, size, end }: SearchContender) {
  const reply = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
  const verbs: Record<string, (...args: never[]) => unknown> = { index, search, size }
  reply({ result: 'ready' })
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...args] = JSON.parse(line) as [string, ...never[]]
    try {
      reply({ result: await verbs[verb]!(...args) })
    } catch (error) {
      reply({ error: String(error) })
    }
  }
  await end()
  process.exit()
}
