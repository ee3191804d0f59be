import { expect } from 'vitest'
import type { Visit, Visits } from '../support/visits.ts'
import { target } from './support.ts'

/** A place of the target that notes who comes, and answers as it is told. */
export function place(behaviour: Record<string, string> = {}) {
  const key = crypto.randomUUID()
  const ask = async (path: string, more = '') => (await fetch(target(`${path}?key=${key}${more}`))).text()
  const visits = async () => (JSON.parse(await ask('/visits')) as Visits).visits
  return {
    url: target(`/visit?${new URLSearchParams({ key, ...behaviour })}`),
    visits,
    /** Lets all held answers go, those to come included, or so many. */
    release: (count?: number) => ask('/release', count === undefined ? '' : `&count=${count}`),
    /** The visits, as soon as there are so many. */
    arrived: async (count: number): Promise<Visit[]> => {
      await expect.poll(async () => (await visits()).length).toBeGreaterThanOrEqual(count)
      return visits()
    },
  }
}

/** An address where nobody listens. */
export const nowhere = 'http://127.0.0.1:1/'
