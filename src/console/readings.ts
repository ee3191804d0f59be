import { parseMetrics, type Reading, summed } from './metrics.ts'
import { authorization, onSession, secretHeaders } from './session.ts'

/** Those of the last minutes, also when another page was looked at in between. */
const most = 60

const minute = 60_000

/** In milliseconds: longer than the gateway waits for any component. */
const patience = 15_000

let kept: Reading[] = []

// Whoever signs in next may see less.
onSession(() => {
  kept = []
})

/** What the counters have said so far, the oldest first. */
export const readings = (): Reading[] => kept

/** The first and the last of the last minute. */
export function lastMinute(all: Reading[]): [first: Reading, last: Reading] | undefined {
  const last = all.at(-1)
  const first = all.find(({ at }) => last !== undefined && last.at - at <= minute)
  return first && last && first !== last ? [first, last] : undefined
}

/** Reads all components' counters at the gateway. */
export async function readMetrics(signal: AbortSignal): Promise<void> {
  const response = await fetch('/_metrics', {
    headers: { ...authorization(), ...secretHeaders() },
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  })
  if (!response.ok) return
  kept = [...kept, { at: Date.now(), samples: summed(parseMetrics(await response.text())) }].slice(-most)
}
