// Helper of the bus's tests: a path of the target server that acts as a handler or webhook and records its requests.
import { expect } from 'vitest'
import type { Visit, Visits } from '../support/visits.ts'
import { target } from './support.ts'

/** A path of the target server that records its requests. `behaviour` sets its responses, such as `statuses` and `hold`. */
export function place(behaviour: Record<string, string> = {}) {
  const key = crypto.randomUUID()
  const ask = async (path: string, more = '') => (await fetch(target(`${path}?key=${key}${more}`))).text()
  const visits = async () => (JSON.parse(await ask('/visits')) as Visits).visits
  return {
    url: target(`/visit?${new URLSearchParams({ key, ...behaviour })}`),
    visits,
    /** Sends the first `count` responses that `hold` delays; by default all of them, also future ones. */
    release: (count?: number) => ask('/release', count === undefined ? '' : `&count=${count}`),
    /** Waits for `count` requests and returns all. */
    arrived: async (count: number): Promise<Visit[]> => {
      await expect.poll(async () => (await visits()).length).toBeGreaterThanOrEqual(count)
      return visits()
    },
  }
}

/** A URL whose port is closed, so that each connection is refused. */
export const nowhere = 'http://127.0.0.1:1/'
