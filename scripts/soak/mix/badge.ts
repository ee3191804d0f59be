// Operations of badge in the load of a soak test.
import type { ComponentMix, SoakWorld } from './operation.ts'

const collection = 'soak'
const names = ['inbox', 'inbox/mail', 'inbox/mail/urgent', 'orders', 'orders/new', 'chat']

const owner = ({ random }: SoakWorld) => ({ collection, user: `user${random.between(1, 300)}` })

const query = (params: Record<string, string>) => new URLSearchParams(params)

const nameFor = ({ random }: SoakWorld) => names[random.between(0, names.length - 1)]!

export const badge: ComponentMix = {
  operations: [
    {
      name: 'badge: add',
      weight: 6,
      run: async (world) => {
        await world.ask('POST', '/badge/badge', { body: { ...owner(world), name: nameFor(world), payload: { a: 1 } } })
      },
    },
    {
      name: 'badge: counters',
      weight: 10,
      run: async (world) => {
        await world.ask('GET', `/badge/counters?${query({ ...owner(world), names: `_all,${names.join(',')}` })}`)
      },
    },
    {
      name: 'badge: list',
      weight: 3,
      run: async (world) => void (await world.ask('GET', `/badge/badges?${query({ ...owner(world), count: 'true' })}`)),
    },
    {
      name: 'badge: delete',
      weight: 3,
      run: async (world) => {
        await world.ask('DELETE', `/badge/badges?${query({ ...owner(world), name: nameFor(world) })}`)
      },
    },
  ],
}
