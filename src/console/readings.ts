import { parseMetrics, type Reading } from './metrics.ts'
import { authorization } from './session.ts'

/** Those of the last minutes, also when another page was looked at in between. */
const most = 60

let kept: Reading[] = []

/** What the counters have said so far, the oldest first. */
export const readings = (): Reading[] => kept

/** Reads all components' counters at the gateway. */
export async function readMetrics(signal: AbortSignal): Promise<void> {
  const response = await fetch('/_metrics', { headers: authorization(), credentials: 'omit', signal })
  if (!response.ok) return
  kept = [...kept, { at: Date.now(), samples: parseMetrics(await response.text()) }].slice(-most)
}
