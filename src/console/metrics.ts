/** One sample of a Prometheus exposition. */
export interface Sample {
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

/** What the counters said at one moment. */
export interface Reading {
  /** Milliseconds. */
  at: number
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

/** What a component says of itself, which the console asks for every few seconds, is no traffic. */
const isAside = (route = '') => /\/_(health|metrics|docs|openapi\.json)$/.test(route)

/** The traffic of a component between two readings. */
export function trafficOf(component: string, first: Reading, last: Reading): Traffic {
  const grown = (name: string, also: (labels: Sample['labels']) => boolean = () => true) =>
    sumOf(last, component, name, also) - sumOf(first, component, name, also)
  const seconds = Math.max(0.001, (last.at - first.at) / 1_000)
  const requests = grown('quartermaster_requests_total')
  const failed = grown('quartermaster_requests_total', ({ status }) => status!.startsWith('5'))
  const counted = bucketsOf(last, component).map(
    (le) =>
      [le, grown('quartermaster_request_duration_seconds_bucket', (labels) => Number(boundOf(labels)) === le)] as const,
  )
  const slow = counted.find(([, count]) => count >= requests * 0.95)
  return {
    rate: Math.max(0, requests / seconds),
    errors: Math.max(0, failed),
    p95: requests > 0 && slow ? slow[0] * 1_000 : undefined,
  }
}

const sumOf = ({ samples }: Reading, component: string, name: string, also: (labels: Sample['labels']) => boolean) =>
  samples
    .filter(
      (sample) =>
        sample.name === name &&
        sample.labels.component === component &&
        !isAside(sample.labels.route) &&
        also(sample.labels),
    )
    .reduce((sum, { value }) => sum + value, 0)

const boundOf = ({ le = '' }: Sample['labels']) => le.replace('+Inf', 'Infinity')

const bucketsOf = ({ samples }: Reading, component: string) =>
  [
    ...new Set(
      samples
        .filter(
          ({ name, labels }) =>
            name === 'quartermaster_request_duration_seconds_bucket' && labels.component === component,
        )
        .map(({ labels }) => Number(boundOf(labels))),
    ),
  ].sort((a, b) => a - b)
