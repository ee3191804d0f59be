// Operations of the bus whose cost is measured.
import { type Costed, type CostWorld, many } from './operation.ts'

export const administratorSecret = 'a-long-secret-of-the-administrator'
const headers = { 'api-secret': administratorSecret }

const send = ({ ask }: CostWorld, collection: string, more: object = {}) => {
  const document = { event: 'created', uuid: crypto.randomUUID(), data: { order: 1, lines: [1, 2, 3] } }
  return ask('POST', '/bus/document', { headers, body: { collection, ...document, ...more } })
}

export const bus: Costed = {
  prepare: async (world) => {
    const handler = `${world.target.url}/handler`
    const make = (body: object) => world.ask('POST', '/bus/collection', { headers, body })
    await make({ name: 'archive', type: 'storage' })
    await make({ name: 'rates', type: 'sync', handler })
    await make({ name: 'orders', type: 'async', handler })
    await make({ name: 'news', type: 'storage' })
    const subscription = { collection: 'news', url: `${world.target.url}/subscriber` }
    await world.ask('POST', '/bus/subscription', { headers, body: subscription })
    await many(1_000, () => send(world, 'archive'))
  },
  filled: { by: 'POST /document, storage', times: 1_000 },
  operations: [
    { name: 'POST /document, storage', run: (world) => send(world, 'archive') },
    { name: 'POST /document, sync', run: (world) => send(world, 'rates') },
    {
      name: 'POST /document, async, until its webhook',
      run: (world, n) => send(world, 'orders', { webhook: `${world.target.url}/called/${n}` }),
    },
    { name: 'POST /document, storage, until its subscriber', run: (world) => send(world, 'news') },
    {
      name: 'GET /documents, 100 of 1 000',
      run: ({ ask }, n) => ask('GET', `/bus/documents?collection=archive&id=${n * 10}&limit=100`, { headers }),
    },
  ],
}
