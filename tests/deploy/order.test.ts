// Tests the order in which components are deployed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WorkerProject } from '../../scripts/deploy/components.ts'
import { inOrder } from '../../scripts/deploy/order.ts'

const component = (name: string, services: string[] = [], objects: string[] = []): WorkerProject => ({
  name,
  file: name === 'gateway' ? 'wrangler.toml' : `workers/${name}/wrangler.toml`,
  reads: { names: [], prefixes: [] },
  config: {
    name,
    services: services.map((service) => ({ binding: service.toUpperCase(), service })),
    durable_objects: {
      bindings: objects.map((script_name) => ({ name: 'OBJECT', class_name: 'Object', script_name })),
    },
  },
})
const namesOf = (components: WorkerProject[]) => components.map(({ name }) => name)

test('sorts components after those whose services and objects they bind, the gateway last', () => {
  const components = [component('gateway'), component('a', ['c'], ['a', 'b']), component('b', ['c']), component('c')]
  expect(namesOf(inOrder(components))).toEqual(['c', 'b', 'a', 'gateway'])
})

test('ignores Workers of other projects', () => {
  expect(namesOf(inOrder([component('a', ['elsewhere'])]))).toEqual(['a'])
})

test('names the components of a cycle only', () => {
  const components = [component('a', ['b']), component('b', ['c']), component('c', ['d']), component('d', ['b'])]
  expect(() => inOrder(components)).toThrow('Components bind each other in a cycle: b -> c -> d -> b')
})

test('sorts every acyclic graph', () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 })
  fc.assert(
    fc.property(edges, fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 }), (edges, order) => {
      const bound = (at: number) => edges.filter(([from, to]) => from === at && to < at).map(([, to]) => `n${to}`)
      const ordered = namesOf(inOrder(order.map((at) => component(`n${at}`, bound(at)))))
      expect([...ordered].sort()).toEqual(order.map((at) => `n${at}`).sort())
      for (const at of order) {
        for (const name of bound(at)) expect(ordered.indexOf(name)).toBeLessThan(ordered.indexOf(`n${at}`))
      }
    }),
  )
})
