// Measures the memory that sending mails takes, as the growth of a fresh runtime's process. Its heap is as small as an
// isolate's, so that garbage is collected.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { childrenOf, memoryOf, resetPeak } from '../../scripts/lib/processes.ts'
import { components } from '../../scripts/stack/components.ts'
import { type Stack, startStack } from '../../scripts/stack/stack.ts'
import type { Variables } from '../../scripts/stack/variables.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const signed = { DKIM_DOMAIN: 'example.com', DKIM_SELECTOR: 'bench', DKIM_PRIVATE_KEY: privateKey }

/** Size of the heap in megabytes, as in an isolate. Buffers are outside of it. */
const heap = 96

/** Size of the largest request body that the component accepts, in bytes. */
const large = 18_700_000

const tasks: { name: string; count: number; variables: Variables }[] = [
  { name: 'a mail with a file of 18.7 MB', count: 1, variables: {} },
  { name: 'the same, signed', count: 1, variables: signed },
  { name: 'four of them at once', count: 4, variables: {} },
]

/** Yields a line of the report per measurement. */
export async function* measureMemory(variables: Variables, folder: string): AsyncIterable<string> {
  if (process.platform !== 'linux') return yield 'without Linux: no memory is measured'
  for (const task of tasks) {
    const grown = await measure({ ...variables, ...task.variables }, task.count, folder)
    yield `${task.name.padEnd(32)}  workerd +${(grown / 1024 / 1024).toFixed(0)} MB`
  }
}

async function measure(variables: Variables, count: number, stateDir: string): Promise<number> {
  const others = new Set(runtimes())
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heap}`
  const stack = await startStack({
    ...{ port: 0, stateDir, variables, direct: ['email'], log: () => undefined },
    components: components().filter(({ name }) => name === 'email'),
  })
  try {
    const runtime = runtimes().find((pid) => !others.has(pid))!
    await send(stack, 1_000)
    resetPeak(runtime)
    const before = memoryOf(runtime).now
    await Promise.all(Array.from({ length: count }, () => send(stack, large)))
    return memoryOf(runtime).peak - before
  } finally {
    await stack.dispose()
  }
}

const runtimes = () => childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))

async function send({ origins }: Stack, size: number) {
  const attachments = [{ filename: 'a.bin', content: randomBytes(size).toString('base64') }]
  const body = JSON.stringify({ subject: 'Hello', to: 'ann@example.com', text: 'Hi', attachments })
  const response = await fetch(`${origins.email}/smtp`, { method: 'POST', body })
  if (response.status !== 201) throw new Error(`Answered ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}
