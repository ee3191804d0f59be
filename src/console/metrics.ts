// Parses the gateway's Prometheus metrics, and computes each component's requests per second, errors and latency for the
// overview page.

/** A sample of Prometheus metrics. */
interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Parses the samples of Prometheus' text format 0.0.4. Ignores all other lines. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? []
    if (!name || value === undefined) return []
    return [{ name, labels: labelsOf(labels), value: Number(value.replace('+Inf', 'Infinity')) }]
  })
}

const escapes: Record<string, string> = { n: '\n' }

const labelsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name!,
      value!.replace(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped),
    ]),
  )

/** Routes that the console requests every few seconds for its own display. They do not count as traffic. */
const isOwnPage = (route = '') => /\/_(health|metrics|docs|openapi\.json)$/.test(route)

const requestsName = 'quartermaster_requests_total'
const bucketName = 'quartermaster_request_duration_seconds_bucket'
const upName = 'quartermaster_up'

const usedNames = new Set([requestsName, bucketName, upName])

/**
 * Sums the samples over all routes, and keeps only those that `trafficOf` needs: requests of each component by status and by
 * histogram bucket. This saves memory, since readings are kept for minutes.
 */
export function summed(samples: Sample[]): Sample[] {
  const sums = new Map<string, Sample>()
  for (const { name, labels, value } of samples) {
    const { component = '', route, status = '', le } = labels
    if (isOwnPage(route) || !usedNames.has(name)) continue
    const summedLabels: Sample['labels'] = le === undefined ? { component, status } : { component, le }
    const key = JSON.stringify([name, summedLabels])
    const sum = sums.get(key)
    if (sum) sum.value += value
    else sums.set(key, { name, labels: summedLabels, value })
  }
  return [...sums.values()]
}

/** The counters of all components at one time. */
export interface Reading {
  /** Milliseconds since the epoch. */
  at: number
  /** The counters, as `summed` returns them. */
  samples: Sample[]
}

/** A component's traffic between two readings. */
export interface Traffic {
  /** Requests per second. */
  rate: number
  /** Number of requests with status 5xx. */
  errors: number
  /**
   * 95th percentile of the latency in milliseconds, estimated from the histogram's buckets. Undefined if there were no
   * requests.
   */
  p95: number | undefined
}

/**
 * The traffic of a component between two readings. Zero if the component was down at the first reading, as its counters are
 * missing there.
 */
export function trafficOf(component: string, first: Reading, last: Reading): Traffic {
  if (isDown(first, component)) return { rate: 0, errors: 0, p95: undefined }
  const grown = (name: string, also: (labels: Sample['labels']) => boolean = () => true) =>
    sumOf(last, component, name, also) - sumOf(first, component, name, also)
  const seconds = Math.max(0.001, (last.at - first.at) / 1_000)
  const requests = grown(requestsName)
  const failed = grown(requestsName, ({ status }) => status!.startsWith('5'))
  const counted = bucketsOf(last, component).map(
    (le) => [le, grown(bucketName, (labels) => Number(boundOf(labels)) === le)] as const,
  )
  const slow = counted.find(([, count]) => count >= requests * 0.95)
  return {
    rate: Math.max(0, requests / seconds),
    errors: Math.max(0, failed),
    p95: requests > 0 && slow ? slow[0] * 1_000 : undefined,
  }
}

/** Whether the component returned no metrics in a reading, so that its counters are missing rather than 0. */
const isDown = ({ samples }: Reading, component: string) =>
  samples.some(({ name, labels, value }) => name === upName && labels.component === component && value === 0)

const sumOf = ({ samples }: Reading, component: string, name: string, also: (labels: Sample['labels']) => boolean) =>
  samples
    .filter((sample) => sample.name === name && sample.labels.component === component && also(sample.labels))
    .reduce((sum, { value }) => sum + value, 0)

const boundOf = ({ le = '' }: Sample['labels']) => le.replace('+Inf', 'Infinity')

const bucketsOf = ({ samples }: Reading, component: string) =>
  [
    ...new Set(
      samples
        .filter(({ name, labels }) => name === bucketName && labels.component === component)
        .map(({ labels }) => Number(boundOf(labels))),
    ),
  ].sort((a, b) => a - b)
