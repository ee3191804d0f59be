/** One sample of a Prometheus exposition. */
interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** The samples of an exposition in the text format 0.0.4; what is no sample is left out. */
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

/** What a component says of itself, which the console asks for every few seconds, is no traffic. */
const isAside = (route = '') => /\/_(health|metrics|docs|openapi\.json)$/.test(route)

const requestsName = 'quartermaster_requests_total'
const bucketName = 'quartermaster_request_duration_seconds_bucket'
const upName = 'quartermaster_up'

const wanted = new Set([requestsName, bucketName, upName])

/**
 * What `trafficOf` needs of an exposition: of each component the requests by status and by bucket, over all routes. There
 * are many routes, and a reading is kept for minutes.
 */
export function summed(samples: Sample[]): Sample[] {
  const sums = new Map<string, Sample>()
  for (const { name, labels, value } of samples) {
    const { component = '', route, status = '', le } = labels
    if (isAside(route) || !wanted.has(name)) continue
    const kept: Sample['labels'] = le === undefined ? { component, status } : { component, le }
    const key = JSON.stringify([name, kept])
    const sum = sums.get(key)
    if (sum) sum.value += value
    else sums.set(key, { name, labels: kept, value })
  }
  return [...sums.values()]
}

/** What the counters said at one moment. */
export interface Reading {
  /** Milliseconds. */
  at: number
  /** As `summed` gives them. */
  samples: Sample[]
}

/** A component's traffic between two readings. */
export interface Traffic {
  /** Requests each second. */
  rate: number
  /** Of the requests, those that failed here: 5xx. */
  errors: number
  /** Milliseconds within which 95 of 100 were answered, by the histogram's buckets; none without requests. */
  p95: number | undefined
}

/** The traffic of a component between two readings; none where it was not there for the first. */
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

/** Counts that were not given are not counts of nothing. */
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
