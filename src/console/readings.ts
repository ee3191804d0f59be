// Keeps the readings of the components' metrics of the last minutes, also while the user visits other pages than the overview.
import { parseMetrics, type Reading, summed } from './metrics.ts'
import { authorization, onSession, secretHeaders } from './session.ts'

const maxReadings = 60

const minuteMs = 60_000

/**
 * Timeout of a request for metrics. It is longer than the gateway waits for a component, so that one component that is down
 * does not hide the rest.
 */
const requestTimeoutMs = 15_000

let history: Reading[] = []

// After a change of credentials the readings are dropped: the next user may not be allowed to see them.
onSession(() => {
  history = []
})

/** The last 60 readings of the components' metrics in this tab, the oldest first. */
export const readings = (): Reading[] => history

/** The first and the last reading of the last minute. Undefined until there are two. */
export function lastMinute(all: Reading[]): [first: Reading, last: Reading] | undefined {
  const last = all.at(-1)
  const first = all.find(({ at }) => last !== undefined && last.at - at <= minuteMs)
  return first && last && first !== last ? [first, last] : undefined
}

/** Reads the metrics of all components from the gateway, and adds them to the readings. */
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
