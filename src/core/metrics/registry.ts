/** What was counted under one family and one set of labels: of a counter one number, of a histogram its sum and its buckets. */
export interface Series {
  family: string
  /** As they stand in a sample. */
  labels: string
  values: number[]
}

/** Counts that are sent together. A meter that has had the batch of a number does not count it again. */
export interface Batch {
  number: number
  series: Series[]
}

/** How many different series there may be; labels are bounded, so that more of them can only be a mistake. */
export const maxSeries = 5_000

/** What an isolate has counted and its component's meter has not confirmed yet. It is lost with the isolate. */
export class Registry {
  readonly #fresh = new Map<string, Series>()
  #sent: Batch | undefined
  #number = 0

  /** Adds to a series, item by item. */
  add(family: string, labels: string, values: number[]): void {
    const key = `${family}{${labels}`
    const series = this.#fresh.get(key)
    if (series) addTo(series.values, values)
    else if (this.#fresh.size < maxSeries) this.#fresh.set(key, { family, labels, values: [...values] })
  }

  /** Whether something is not confirmed. */
  get isBehind(): boolean {
    return this.#sent !== undefined || this.#fresh.size > 0
  }

  /** The batch that is to be sent: the one before, where that is not confirmed, since nobody knows whether it arrived. */
  next(): Batch | undefined {
    if (this.#sent || this.#fresh.size === 0) return this.#sent
    this.#sent = { number: ++this.#number, series: [...this.#fresh.values()] }
    this.#fresh.clear()
    return this.#sent
  }

  /** The meter has the batch. */
  confirm({ number }: Batch): void {
    if (this.#sent?.number === number) this.#sent = undefined
  }
}

/** Adds item by item, in place. */
export function addTo(sums: number[], values: number[]): void {
  for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + value
}

/** The counts of this isolate. */
export const registry = new Registry()
