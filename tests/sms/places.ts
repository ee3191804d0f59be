// Providers of the kind `http` that are places of the target: they note who comes, and answer as their query says.
import type { Visits } from '../support/visits.ts'
import { target } from './support.ts'

/** A key that nothing else has. */
export const fresh = () => crypto.randomUUID()

/** The variables of a provider that is a place of the target. */
export const place = (letter: 'A' | 'B' | 'C', key: string, query: string) => ({
  [`PROVIDER_${letter}_DRIVER`]: 'http',
  [`PROVIDER_${letter}_URL`]: target(`/visit?key=${key}&${query}`),
})

export const visitsOf = async (key: string) => (await (await fetch(target(`/visits?key=${key}`))).json()) as Visits
export const countOf = async (key: string) => (await visitsOf(key)).visits.length
export const phonesAt = async (key: string) => (await visitsOf(key)).visits.map(({ body }) => JSON.parse(body).phone)
