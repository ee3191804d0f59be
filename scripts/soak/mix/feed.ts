// Operations of feed in the load of a soak test.
import { setTimeout as pause } from 'node:timers/promises'
import type { ComponentMix, SoakWorld } from './operation.ts'

const collection = 'soak'

const someone = ({ random }: SoakWorld) => `user${random.between(1, 200)}`

const words = ({ random }: SoakWorld) => Array.from({ length: random.between(3, 60) }, () => 'lorem ipsum'.slice(random.between(0, 5))).join(' ') // biome-ignore format: one line

const listOf = (world: SoakWorld, more = '') =>
  world.ask('GET', `/feed/records?collection=${collection}&recipient=${someone(world)}${more}`)

const newRecord = (world: SoakWorld) => ({
  recipient: someone(world),
  sender: someone(world),
  thread: `thread${world.random.between(1, 20)}`,
  title: 'A record',
  text: words(world),
  payload: { level: world.random.between(1, 9) },
})

export const feed: ComponentMix = {
  prepare: async ({ call }) => void (await call('POST', '/feed/collection', { name: collection })),
  operations: [
    {
      name: 'feed: add a record',
      weight: 8,
      run: async (world) => void (await world.call('POST', '/feed/record', { collection, ...newRecord(world) })),
    },
    {
      name: 'feed: add ten at once',
      weight: 1,
      run: async (world) => {
        const records = Array.from({ length: 10 }, () => newRecord(world))
        await world.call('POST', '/feed/records', { collection, records })
      },
    },
    { name: 'feed: list', weight: 8, run: async (world) => void (await listOf(world, '&is_read=false')) },
    { name: 'feed: search', weight: 2, run: async (world) => void (await listOf(world, '&search=ipsum&count=true')) },
    {
      name: 'feed: count unread',
      weight: 6,
      run: async (world) => {
        await world.ask('GET', `/feed/records/count?collection=${collection}&recipient=${someone(world)}&is_read=false`)
      },
    },
    {
      name: 'feed: read one, then all',
      weight: 3,
      run: async (world) => {
        const { call } = world
        // No other operation deletes records of these recipients, so that the records of this operation stay until it
        // has checked them.
        const recipient = `reader${world.random.between(1, 200)}`
        const body = { collection, ...newRecord(world), recipient }
        const { record } = await call<{ record: { id: number } }>('POST', '/feed/record', body)
        await call('POST', '/feed/record/read', { collection, id: record.id })
        await call('POST', '/feed/records/read', { collection, recipient })
      },
    },
    {
      name: 'feed: delete all of a recipient',
      weight: 1,
      run: async (world) => void (await world.ask('DELETE', `/feed/records?collection=${collection}&recipient=${someone(world)}`)), // biome-ignore format: one line
    },
    { name: 'feed: receive events', weight: 1, run: follow },
  ],
}

/** Opens a stream, adds records until one arrives, and closes the stream. */
async function follow({ url, call, unique }: SoakWorld) {
  const recipient = unique()
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, AbortSignal.timeout(60_000)])
  const response = await fetch(`${url}/feed/stream?collection=${collection}&recipient=${recipient}`, { signal })
  if (!response.ok || !response.body) throw new Error(`GET /feed/stream answered ${response.status}`)
  const events = hear(response.body)
  let isOver = false
  const over = () => (isOver = true)
  events.then(over, over)
  while (!isOver) {
    await call('POST', '/feed/record', { collection, recipient, title: 'Now' })
    await Promise.race([events, pause(1_000)])
  }
  await events
  leave.abort()
}

async function hear(body: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('"Now"')) return
  }
  throw new Error('The stream of the feed ended')
}
