// Tests counters, histograms, their batches, and the durable object that adds them up.
import { abortAllDurableObjects, env as bound, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expose, exposition, merge } from '#core/metrics/exposition'
import { type Family, labelsIn, observation } from '#core/metrics/families'
import type { Meter } from '#core/metrics/meter'
import { addTo, maxSeries, Registry, type Series } from '#core/metrics/registry'
import { parseExposition, sampleOf } from '../support/exposition.ts'

const env = bound as unknown as { METER: DurableObjectNamespace<Meter> }

const bounds = [0.1, 1]
const families = new Map<string, Family>([
  ['things_total', { name: 'things_total', help: 'Things.', type: 'counter' }],
  ['time_seconds', { name: 'time_seconds', help: 'How long.', type: 'histogram', bounds }],
])

const textOf = (component: string, registry: Registry) => expose(component, families, registry.next()?.series ?? [], [])

describe('an exposition', () => {
  it('escapes labels and help texts', () => {
    const labels = { text: 'a "quoted" \\ back\nline', n: 1 }
    const gauge = { name: 'level', help: 'A \\ and\na line.', samples: [{ labels, value: 1.5 }, { value: 2 }] }
    const parsed = parseExposition(expose('core', new Map(), [], [gauge]))
    expect(parsed).toEqual([
      {
        ...{ name: 'level', help: 'A \\ and\na line.', type: 'gauge' },
        samples: [
          { name: 'level', labels: { component: 'core', text: labels.text, n: '1' }, value: 1.5 },
          { name: 'level', labels: { component: 'core' }, value: 2 },
        ],
      },
    ])
  })

  it('counts each observation in its bucket and in all larger ones', () => {
    const registry = new Registry()
    for (const value of [0.1, 0.05, 0.5, 5, 1])
      registry.add('time_seconds', labelsIn({ route: '/' }), observation(bounds, value))
    const text = textOf('core', registry)
    expect(parseExposition(text)).toHaveLength(1)
    const at = (name: string, le?: string) => sampleOf(text, name, { component: 'core', route: '/', ...(le && { le }) })
    expect(['0.1', '1', '+Inf'].map((le) => at('time_seconds_bucket', le))).toEqual([2, 4, 5])
    expect([at('time_seconds_count'), at('time_seconds_sum')]).toEqual([5, 6.65])
  })

  it('omits undeclared families and series with other buckets', () => {
    const series = [
      { family: 'gone_total', labels: '', values: [1] },
      { family: 'time_seconds', labels: '', values: [1, 1] },
    ]
    expect(expose('core', families, series, [])).toBe('')
  })
})

const counts = fc.array(
  fc.record({ component: fc.constantFrom('a', 'b', 'c'), label: fc.string(), n: fc.integer({ min: 0, max: 1_000 }) }),
  { maxLength: 30 },
)

it('merges texts so that each family occurs once with all samples', () => {
  fc.assert(
    fc.property(counts, (counted) => {
      const texts = ['a', 'b', 'c'].map((component) => {
        const registry = new Registry()
        for (const { label, n } of counted.filter((one) => one.component === component)) {
          registry.add('things_total', labelsIn({ label }), [n])
          registry.add('time_seconds', '', observation(bounds, n / 100))
        }
        return textOf(component, registry)
      })
      const merged = parseExposition(merge(texts))
      const sum = (samples: { name: string; value: number }[], name: string) =>
        samples.filter((sample) => sample.name === name).reduce((total, { value }) => total + value, 0)
      const all = merged.flatMap(({ samples }) => samples)
      expect(sum(all, 'things_total')).toBe(counted.reduce((total, { n }) => total + n, 0))
      expect(sum(all, 'time_seconds_count')).toBe(counted.length)
      expect(all).toHaveLength(texts.flatMap((text) => parseExposition(text).flatMap(({ samples }) => samples)).length)
    }),
  )
})

describe('the counts of an isolate', () => {
  it('are sent again with the same number until confirmed, then newer counts follow', () => {
    const registry = new Registry()
    registry.add('things_total', '', [1])
    const first = registry.next()!
    registry.add('things_total', '', [2])
    expect(registry.next()).toBe(first)
    registry.confirm(first)
    const second = registry.next()!
    expect(second).toEqual({ number: 2, series: [{ family: 'things_total', labels: '', values: [2] }] })
    registry.confirm(first)
    expect(registry.next()).toBe(second)
    registry.confirm(second)
    expect([registry.next(), registry.isBehind]).toEqual([undefined, false])
  })

  it('have a maximum number of series', () => {
    const registry = new Registry()
    for (let n = 0; n < maxSeries + 10; n++) registry.add('things_total', labelsIn({ n }), [1])
    expect(registry.next()!.series).toHaveLength(maxSeries)
  })
})

describe('a meter', () => {
  const batch = (number: number, values: number[], family = 'things_total') => ({
    number,
    series: [{ family, labels: 'a="b"', values }] satisfies Series[],
  })
  const valuesOf = async (meter: DurableObjectStub<Meter>) => (await meter.read()).map(({ values }) => [...values])

  it('adds each batch of the isolates once, and keeps the sums over a restart', async () => {
    const meter = () => env.METER.getByName('one')
    await meter().add('first', batch(1, [1]))
    await meter().add('first', batch(1, [1]))
    await meter().add('second', batch(1, [10]))
    await meter().add('first', batch(2, [100]))
    await abortAllDurableObjects()
    await meter().add('first', batch(2, [100]))
    expect(await valuesOf(meter())).toEqual([[111]])
  })

  it('resets a histogram whose buckets changed', async () => {
    const meter = env.METER.getByName('two')
    await meter.add('first', batch(1, [1, 1, 0], 'time_seconds'))
    await meter.add('first', batch(2, [2, 1, 0, 0], 'time_seconds'))
    await meter.add('first', batch(3, [3, 0, 1, 0], 'time_seconds'))
    expect(await valuesOf(meter)).toEqual([[5, 1, 1, 0]])
  })

  it('adds nothing of a batch that fails, so that it can be retried', async () => {
    const meter = env.METER.getByName('three')
    const broken = { number: 1, series: [...batch(1, [1]).series, { family: null as never, labels: '', values: [1] }] }
    await runInDurableObject(meter, (object: Meter) => expect(() => object.add('first', broken)).toThrow())
    await meter.add('first', batch(1, [1]))
    expect(await valuesOf(meter)).toEqual([[1]])
  })
})

it('the content type names the format', () => {
  expect(exposition).toBe('text/plain; version=0.0.4; charset=utf-8')
})

it('adds values by index', () => {
  const sums = [1]
  addTo(sums, [1, 2])
  expect(sums).toEqual([2, 2])
})
