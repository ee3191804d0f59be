// Operations of the bus in the load of a soak test.
import type { ComponentMix, SoakWorld } from './operation.ts'

export const administratorSecret = 'a-long-secret-of-the-administrator'
const secret = 'a-long-secret-of-the-soak'

const administrator = { 'api-secret': administratorSecret }
const client = { 'api-secret': secret }

const document = ({ unique }: SoakWorld, collection: string, more = {}) => ({
  collection,
  event: 'created',
  uuid: crypto.randomUUID(),
  data: { order: unique(), lines: [1, 2, 3] },
  ...more,
})

const send = (world: SoakWorld, collection: string, more = {}) =>
  world.call<{ document: { id: number } }>('POST', '/bus/document', document(world, collection, more), client)

export const bus: ComponentMix = {
  prepare: async ({ call, target }) => {
    const made = await call<{ client: { id: number } }>('POST', '/bus/client', { name: 'soak', secret }, administrator)
    const handler = `${target.url}/handler`
    for (const collection of [
      { name: 'rates', type: 'sync', handler },
      { name: 'orders', type: 'async', handler },
      { name: 'archive', type: 'storage' },
    ]) {
      const path = '/bus/collection'
      const { collection: added } = await call<{ collection: { id: number } }>('POST', path, collection, administrator)
      const access = { client: made.client.id, collection: added.id, level: 'write' }
      await call('POST', '/bus/access', access, administrator)
    }
  },
  operations: [
    {
      name: 'bus: a document, handled at once',
      weight: 3,
      run: async (world) => {
        type Handled = { response: { status_code: number } }
        const handled = await world.call<Handled>('POST', '/bus/document', document(world, 'rates'), client)
        const { status_code } = handled.response
        if (status_code !== 200) throw new Error(`The handler's answer came as ${status_code}`)
      },
    },
    {
      name: 'bus: a document, until its webhook',
      weight: 3,
      run: async (world) => {
        const name = world.unique()
        const called = world.target.untilCalled(name)
        await Promise.all([called, send(world, 'orders', { webhook: `${world.target.url}/called/${name}` })])
      },
    },
    { name: 'bus: store a document', weight: 3, run: async (world) => void (await send(world, 'archive')) },
    {
      name: 'bus: fetch documents',
      weight: 3,
      run: async (world) => {
        const id = Math.floor(world.random.share() * 100)
        await world.ask('GET', `/bus/documents?collection=archive&id=${id}&limit=20`, { headers: client })
      },
    },
  ],
}
