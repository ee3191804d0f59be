// A contender in a process of its own, in any language: a JSON array of a verb and what it is given on each line of its
// input, an object with `result` or `error` on each of its output, `ready` to begin with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SearchContender } from './contender.ts'

/** Resolves when it is ready. */
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
    // The other side of the contract is in the file that was started.
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

/** Serves a contender to the process that started this one, and ends with it. */
export async function serve({ index, search, size, end }: SearchContender) {
  const reply = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
  const verbs: Record<string, (...given: never[]) => unknown> = { index, search, size }
  reply({ result: 'ready' })
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...given] = JSON.parse(line) as [string, ...never[]]
    try {
      reply({ result: await verbs[verb]!(...given) })
    } catch (error) {
      reply({ error: String(error) })
    }
  }
  await end()
  process.exit()
}
