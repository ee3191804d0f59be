import { parseMetrics, type Reading, summed } from './metrics.ts'
import { authorization, onSession, secretHeaders } from './session.ts'

// Readings of the metrics of the last minutes, kept while the user visits other pages.

const maxReadings = 60

const minuteMs = 60_000

/** Longer than the gateway waits for a component. */
const requestTimeoutMs = 15_000

let history: Reading[] = []

// The next user may not be allowed to see them.
onSession(() => {
  history = []
})

/** The last 60 readings of the components' metrics in this session, the oldest first. */
export const readings = (): Reading[] => history

/** The first and the last reading of the last minute. */
export function lastMinute(all: Reading[]): [first: Reading, last: Reading] | undefined {
  const last = all.at(-1)
  const first = all.find(({ at }) => last !== undefined && last.at - at <= minuteMs)
  return first && last && first !== last ? [first, last] : undefined
}

/** Adds a reading of the metrics of all components, from the gateway. */
export async function readMetrics(signal: AbortSignal): Promise<void> {
  const response = await fetch('/_metrics', {
    headers: { ...authorization(), ...secretHeaders() },
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
  })
  if (!response.ok) return
  const reading = { at: Date.now(), samples: summed(parseMetrics(await response.text())) }
  history = [...history, reading].slice(-maxReadings)
}
