// A strict parser of Prometheus' text format, version 0.0.4, for tests of metrics.
import { expect } from 'vitest'

interface ReadSample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface ReadFamily {
  name: string
  help: string
  type: string
  samples: ReadSample[]
}

/** Parses the metric families of a text. Throws for anything that violates the format. */
export function parseExposition(text: string): ReadFamily[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('The last line has no end')
  const families = new Map<string, ReadFamily>()
  let current: ReadFamily | undefined
  for (const line of lines) {
    const help = /^# HELP ([a-z][a-z0-9_]*) (.+)$/.exec(line)
    const type = /^# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)$/.exec(line)
    if (help) {
      if (families.has(help[1]!)) throw new Error(`Twice: ${line}`)
      current = { name: help[1]!, help: plain(help[2]!), type: '', samples: [] }
      families.set(current.name, current)
    } else if (type) {
      if (current?.name !== type[1] || current!.type || current!.samples.length > 0)
        throw new Error(`Out of place: ${line}`)
      current!.type = type[2]!
    } else {
      const sample = sampleIn(line)
      if (!current?.type || familyOf(sample.name, current.type) !== current.name)
        throw new Error(`Of no family: ${line}`)
      current.samples.push(sample)
    }
  }
  for (const family of families.values()) check(family)
  return [...families.values()]
}

/** The value of the sample with exactly these labels; undefined if there is none. */
export function sampleOf(text: string, name: string, labels: Record<string, string>): number | undefined {
  const key = keyOf({ name, labels })
  return parseExposition(text)
    .flatMap(({ samples }) => samples)
    .find((sample) => keyOf(sample) === key)?.value
}

const keyOf = ({ name, labels }: Pick<ReadSample, 'name' | 'labels'>) =>
  JSON.stringify([name, Object.entries(labels).sort()])

const familyOf = (name: string, type: string) =>
  type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name

const label = /([a-z_]+)="((?:[^"\\\n]|\\[\\"n])*)"/g

function sampleIn(line: string): ReadSample {
  const [, name, inside, value] = /^([a-z][a-z0-9_]*)\{(.*)\} (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/s.exec(line) ?? []
  if (!name) throw new Error(`No sample: ${line}`)
  const pairs = [...inside!.matchAll(label)]
  if (pairs.map(([all]) => all).join(',') !== inside) throw new Error(`Labels: ${line}`)
  if (new Set(pairs.map(([, key]) => key)).size !== pairs.length) throw new Error(`A label twice: ${line}`)
  const labels = Object.fromEntries(pairs.map(([, key, text]) => [key!, plain(text!)]))
  return { name, labels, value: Number(value) }
}

const plain = (text: string) => text.replace(/\\([\\"n])/g, (_, one) => (one === 'n' ? '\n' : one))

function check({ name, type, samples }: ReadFamily): void {
  if (samples.length === 0) throw new Error(`Nothing of ${name}`)
  const keys = samples.map(keyOf)
  if (new Set(keys).size !== keys.length) throw new Error(`A sample of ${name} twice`)
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`A counter ends with _total: ${name}`)
  if (type === 'histogram') checkHistogram(name, samples)
}

function checkHistogram(name: string, samples: ReadSample[]): void {
  const before = new Map<string, number>()
  for (const { name: own, labels, value } of samples) {
    const { le, ...rest } = labels
    const key = JSON.stringify(rest)
    if (own.endsWith('_bucket')) {
      expect(value, `${name} falls`).toBeGreaterThanOrEqual(before.get(key) ?? 0)
      before.set(key, value)
      if (le === '+Inf') before.set(`${key} all`, value)
    }
    if (own.endsWith('_count')) expect(value, `${name} adds up`).toBe(before.get(`${key} all`))
  }
}
