// Limits the bytes of image files that the Worker processes at once, since they fill its memory: a FIFO semaphore that counts
// bytes.
import { failure } from '../errors.ts'

/**
 * Runs work that holds `bytes` of memory as soon as the entries before it in the queue leave room. Throws 503 after 20 seconds of
 * waiting. Waiting polls, since a Worker cannot await a promise of another request. Each entry has a lease, so that a cancelled
 * request does not block the queue.
 */
export async function withMemory<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const entry = { bytes, until: 0 }
  queue.push(entry)
  try {
    await waitForRoom(entry)
    return await work()
  } finally {
    leave(entry)
  }
}

/** Maximum number of bytes that all running entries hold together. A single larger file runs alone. */
export const maxHeldBytes = 16 * 1024 * 1024

interface QueueEntry {
  bytes: number
  /** End of the entry's lease, in milliseconds since 1970. Other requests remove the entry after this time. */
  until: number
}

const queue: QueueEntry[] = []

const pollIntervalMs = 10
const queueTimeoutMs = 20_000
const waitingLeaseMs = 2000
const workingLeaseMs = 30_000

const busy = () =>
  failure('unavailable', 'The Worker renders as many images as its memory allows. Retry later.', { retryAfter: 5 })

async function waitForRoom(entry: QueueEntry): Promise<void> {
  const deadline = Date.now() + queueTimeoutMs
  while (!hasRoom(entry)) {
    const polledAt = Date.now()
    if (polledAt > deadline) throw busy()
    entry.until = polledAt + waitingLeaseMs
    await scheduler.wait(pollIntervalMs)
    // Compares leases with the time before the wait. If the isolate was suspended during the wait, the leases look expired although
    // their requests had no chance to renew them.
    dropExpired(polledAt)
    if (!queue.includes(entry)) queue.push(entry)
  }
  entry.until = Date.now() + workingLeaseMs
}

/** Whether an entry may run. Entries do not overtake each other: otherwise small files could keep a large one waiting forever. */
function hasRoom(entry: QueueEntry): boolean {
  const ahead = queue.slice(0, queue.indexOf(entry))
  return ahead.length === 0 || ahead.reduce((sum, { bytes }) => sum + bytes, entry.bytes) <= maxHeldBytes
}

function dropExpired(now: number) {
  for (const entry of [...queue]) if (entry.until < now) leave(entry)
}

function leave(entry: QueueEntry) {
  const at = queue.indexOf(entry)
  if (at !== -1) queue.splice(at, 1)
}
