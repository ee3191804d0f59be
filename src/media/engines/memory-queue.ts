// Limits the bytes of image files in progress, since they fill the Worker's memory: a FIFO semaphore that counts bytes.
import { unavailable } from '../container.ts'

/**
 * Runs work that holds `bytes` of memory once the work before it leaves room for them. Throws 503 if that takes too long. Waiting polls,
 * since a Worker cannot await a promise of another request. Each entry has a lease, so that a request that was cancelled does not block
 * the queue.
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

/** Maximum number of bytes that run at once. A single larger one runs alone. */
export const maxHeldBytes = 16 * 1024 * 1024

interface QueueEntry {
  bytes: number
  /** End of the lease, in milliseconds since 1970. */
  until: number
}

const queue: QueueEntry[] = []

const pollIntervalMs = 10
const queueTimeoutMs = 20_000
const waitingLeaseMs = 2000
const workingLeaseMs = 30_000

async function waitForRoom(entry: QueueEntry): Promise<void> {
  const deadline = Date.now() + queueTimeoutMs
  while (!hasRoom(entry)) {
    const polledAt = Date.now()
    if (polledAt > deadline) throw unavailable()
    entry.until = polledAt + waitingLeaseMs
    await scheduler.wait(pollIntervalMs)
    // Compares with the time before the wait: if the isolate was suspended, all leases are late and none has expired.
    dropExpired(polledAt)
    if (!queue.includes(entry)) queue.push(entry)
  }
  entry.until = Date.now() + workingLeaseMs
}

/** Entries do not overtake each other: a large one could wait forever. */
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
