// Declares the counters, histograms and gauges that components export on `/_metrics`.
import { registry } from './registry.ts'

/** A metric: a Prometheus metric family (https://prometheus.io/docs/practices/naming). */
export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** The upper bounds of a histogram's buckets, without infinity. */
  bounds?: readonly number[]
}

/** Labels by name. Values must be from a small fixed set, never from callers, which would create unlimited series. */
type Labels = Readonly<Record<string, string | number>>

/** One value of a gauge with its labels. The labels that all samples have, such as `component`, are added later. */
interface Sample {
  labels?: Labels
  value: number
}

/** A gauge: a metric whose value is read at each request of `/_metrics` instead of being counted. */
export interface Gauge extends Pick<Family, 'name' | 'help'> {
  samples: Sample[]
}

/** All counters and histograms of this isolate by name, in the order of their declaration. */
export const families = new Map<string, Family>()

/** Declares a counter and returns a function that increments it, by default by 1. */
export function counter(name: string, help: string) {
  families.set(name, { name, help, type: 'counter' })
  return (labels: Labels = {}, n = 1) => registry.add(name, labelsIn(labels), [n])
}

/** Declares a histogram and returns a function that adds an observation. */
export function histogram(name: string, help: string, bounds: readonly number[]) {
  families.set(name, { name, help, type: 'histogram', bounds })
  return (labels: Labels, value: number) => registry.add(name, labelsIn(labels), observation(bounds, value))
}

/** The class of an HTTP status, such as `2xx`, for use as a label with few values. */
export const classOf = (status: number) => `${Math.floor(status / 100)}xx`

/** The values that one observation adds to a histogram's series: the sum first, then the count of each bucket. */
export function observation(bounds: readonly number[], value: number): number[] {
  const at = bounds.findIndex((bound) => value <= bound)
  const counts = new Array<number>(bounds.length + 1).fill(0)
  counts[at === -1 ? bounds.length : at] = 1
  return [value, ...counts]
}

/** Formats labels as in a Prometheus sample, without the braces. */
export const labelsIn = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')

const special = /[\\"\n]/g

const escapeLabel = (value: string) => value.replace(special, (one) => (one === '\n' ? '\\n' : `\\${one}`))
