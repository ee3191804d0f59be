// Providers for the tests that use the driver `http`: paths of the target server, which records each request and replies as the
// query says.
import type { Visits } from '../support/visits.ts'
import { target } from './support.ts'

/** A key under which the target server records requests of this test only. */
export const fresh = () => crypto.randomUUID()

/** The variables of a provider whose address is on the target server. `query` says how it replies. */
export const place = (letter: 'A' | 'B' | 'C', key: string, query: string) => ({
  [`PROVIDER_${letter}_DRIVER`]: 'http',
  [`PROVIDER_${letter}_URL`]: target(`/visit?key=${key}&${query}`),
})

export const visitsOf = async (key: string) => (await (await fetch(target(`/visits?key=${key}`))).json()) as Visits
export const countOf = async (key: string) => (await visitsOf(key)).visits.length
export const phonesAt = async (key: string) => (await visitsOf(key)).visits.map(({ body }) => JSON.parse(body).phone)
