// Formats and merges metrics in Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats
import { type Family, type Gauge, labelsIn } from './families.ts'
import type { Series } from './registry.ts'

/** Media type of the Prometheus text format. */
export const exposition = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats counters, histograms and gauges as Prometheus text. Every sample has the label `component`. */
export function expose(
  component: string,
  families: ReadonlyMap<string, Family>,
  series: readonly Series[],
  gauges: readonly Gauge[],
): string {
  const own = labelsIn({ component })
  const counted = [...families.values()].flatMap((family) => {
    const found = series.filter((one) => one.family === family.name)
    const lines = found.flatMap(({ labels, values }) => linesOf(family, joined(own, labels), values))
    return lines.length > 0 ? [...head(family), ...lines] : []
  })
  const some = gauges.filter(({ samples }) => samples.length > 0)
  const read = some.flatMap(({ samples, ...gauge }) => [
    ...head({ ...gauge, type: 'gauge' }),
    ...samples.map(({ labels = {}, value }) => line(gauge.name, joined(own, labelsIn(labels)), value)),
  ])
  return [...counted, ...read, ''].join('\n')
}

/** The lines that describe a metric family in Prometheus' format: HELP and TYPE. */
const head = ({ name, help, type }: Family) => [
  `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
  `# TYPE ${name} ${type}`,
]

function linesOf({ name, type, bounds }: Family, labels: string, values: number[]): string[] {
  if (type !== 'histogram' || !bounds) return [line(name, labels, values[0] ?? 0)]
  const [sum = 0, ...counts] = values
  // Skips a series with another number of buckets, which an older version of the code stored.
  if (counts.length !== bounds.length + 1) return []
  let total = 0
  const buckets = counts.map((count, i) => {
    total += count
    return line(`${name}_bucket`, joined(labels, labelsIn({ le: i < bounds.length ? bounds[i]! : '+Inf' })), total)
  })
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)]
}

const joined = (one: string, other: string) => (one && other ? `${one},${other}` : one || other)

const line = (name: string, labels: string, value: number) => `${name}{${labels}} ${value}`

/** Merges several texts in Prometheus format: each family occurs once, with the samples of all texts. */
export function merge(texts: readonly string[]): string {
  const merged = new Map<string, { head: string[]; samples: string[] }>()
  for (const text of texts) {
    let current = { head: [] as string[], samples: [] as string[] }
    for (const row of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(row) ?? []
      if (name) {
        current = merged.get(name) ?? { head: [], samples: [] }
        merged.set(name, current)
        if (current.head.length < 2 && !current.head.includes(row)) current.head.push(row)
      } else if (row) current.samples.push(row)
    }
  }
  return [...merged.values()]
    .flatMap(({ head, samples }) => [...head, ...samples])
    .concat('')
    .join('\n')
}
