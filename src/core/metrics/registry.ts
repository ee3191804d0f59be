// Counts metrics in the memory of this isolate until they are sent to the component's `Meter`.

/** The counts of one family with one set of labels. A counter has one value; a histogram has its sum and its buckets. */
export interface Series {
  family: string
  /** The labels, formatted as in a Prometheus sample. */
  labels: string
  values: number[]
}

/** Counts that are sent to the meter together. The meter ignores a batch whose number it has already added. */
export interface Batch {
  number: number
  series: Series[]
}

/**
 * Maximum number of series in memory, beyond which new ones are dropped. Labels have few values, so more series can
 * only result from a bug.
 */
export const maxSeries = 5_000

/** Counts that the meter has not confirmed yet. They are lost if the isolate ends. */
export class Registry {
  readonly #fresh = new Map<string, Series>()
  #sent: Batch | undefined
  #number = 0

  /** Adds values to those of a series, which begins with the first ones. */
  add(family: string, labels: string, values: number[]): void {
    const key = `${family}{${labels}`
    const series = this.#fresh.get(key)
    if (series) addTo(series.values, values)
    else if (this.#fresh.size < maxSeries) this.#fresh.set(key, { family, labels, values: [...values] })
  }

  /** Whether there are unconfirmed counts. */
  get isBehind(): boolean {
    return this.#sent !== undefined || this.#fresh.size > 0
  }

  /**
   * The next batch to send, `undefined` if there are no counts. A batch that is not confirmed is returned again, since
   * it may not have arrived.
   */
  next(): Batch | undefined {
    if (this.#sent || this.#fresh.size === 0) return this.#sent
    this.#sent = { number: ++this.#number, series: [...this.#fresh.values()] }
    this.#fresh.clear()
    return this.#sent
  }

  /** Forgets the sent batch, since the meter has added it. Other numbers are ignored. */
  confirm({ number }: Batch): void {
    if (this.#sent?.number === number) this.#sent = undefined
  }
}

/** Adds values to sums with the same index, in place. */
export function addTo(sums: number[], values: number[]): void {
  for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + value
}

/** The registry of this isolate. */
export const registry = new Registry()
