import { registry } from './registry.ts'

/** What is measured, under a name of https://prometheus.io/docs/practices/naming. */
export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** Of a histogram: the upper bounds of its buckets, the last one but infinity. */
  bounds?: readonly number[]
}

/** Names and values of labels; values are of a few that are known beforehand, never what a caller chose. */
type Labels = Readonly<Record<string, string | number>>

/** One line of an exposition, without the labels that all lines have. */
interface Sample {
  labels?: Labels
  value: number
}

/** What a component reads on the spot whenever it is asked for its metrics. */
export interface Gauge extends Pick<Family, 'name' | 'help'> {
  samples: Sample[]
}

/** All families that are counted in this isolate, by name, in the order in which they were declared. */
export const families = new Map<string, Family>()

/** Declares what only grows, and gives what adds to it: 1 unless said. */
export function counter(name: string, help: string) {
  families.set(name, { name, help, type: 'counter' })
  return (labels: Labels = {}, n = 1) => registry.add(name, labelsIn(labels), [n])
}

/** Declares a distribution, and gives what adds an observation to it. */
export function histogram(name: string, help: string, bounds: readonly number[]) {
  families.set(name, { name, help, type: 'histogram', bounds })
  return (labels: Labels, value: number) => registry.add(name, labelsIn(labels), observation(bounds, value))
}

/** The class of a status, such as `2xx`: an outcome in a few words. */
export const classOf = (status: number) => `${Math.floor(status / 100)}xx`

/** The sum, then how many fell into each bucket and above the last one. */
export function observation(bounds: readonly number[], value: number): number[] {
  const at = bounds.findIndex((bound) => value <= bound)
  const counts = new Array<number>(bounds.length + 1).fill(0)
  counts[at === -1 ? bounds.length : at] = 1
  return [value, ...counts]
}

/** Labels as they stand between the braces of a sample. */
export const labelsIn = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')

const special = /[\\"\n]/g

const escapeLabel = (value: string) => value.replace(special, (one) => (one === '\n' ? '\\n' : `\\${one}`))
