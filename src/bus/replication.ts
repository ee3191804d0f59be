// Reads the replication log of another instance, applies its new changes, and stores the position reached.
import { eq } from 'drizzle-orm'
import type { TargetEnv } from '#core/outgoing/url'
import { applyChange, findNewer } from './apply.ts'
import { LoggedChange, type LogPage } from './contract/replication.ts'
import { findReleased } from './pending-changes.ts'
import type { Bus } from './schema.ts'
import { retrySkipped, storeSkipped } from './skipped-changes.ts'

// Limits of one run of `replicate`. A change takes at most four queries, so a run stays below the 50 queries of D1's free plan.
const maxChangesPerRun = 10
const maxPagesPerRun = 4
const maxRetriesPerRun = 3

interface Peer {
  instance: string | null
  position: number
}

/** The instance whose log was read at an address, and the position up to which it was read. */
export async function findPeer({ db, peers }: Bus, url: string): Promise<Peer> {
  const [found] = await db
    .select({ instance: peers.instance, position: peers.position })
    .from(peers)
    .where(eq(peers.url, url))
  return found ?? { instance: null, position: 0 }
}

export interface Skipped {
  position: number
  reason: string
}

interface Progress {
  skipped: Skipped[]
  /** Whether the log may have more entries to read now. */
  isBehind: boolean
}

/**
 * Reads the replication log of the instance at an address from the last position, and applies the new changes, up to a limit of
 * pages and changes per run. If the address now has another instance, or the log is shorter than before (restored from a backup),
 * the log is read again from its start.
 */
export async function replicate(
  bus: Bus,
  env: TargetEnv,
  builtin: string,
  url: string,
  readPage: (after: number) => Promise<LogPage>,
): Promise<Progress> {
  const skipped: Skipped[] = []
  let peer = await findPeer(bus, url)
  let left = maxChangesPerRun
  let isBehind = true
  for (let pages = 0; pages < maxPagesPerRun && isBehind && left > 0; pages++) {
    // Reads the last known entry again. It still exists, or has moved to the end of the log, unless the log became shorter: then the
    // page is empty.
    const after = Math.max(peer.position - 1, 0)
    const { instance, documents } = await readPage(after)
    const hasEnded = peer.position > 0 && documents.length === 0
    if (instance !== peer.instance || hasEnded) {
      peer = { instance, position: 0 }
      await savePeer(bus, url, peer)
      if (after > 0) continue
    }
    const unread = documents.filter(({ id }) => id > peer.position)
    isBehind = unread.length > 0
    const changes = unread.map(({ id, data }) => ({ id, data, change: LoggedChange.safeParse(data).data }))
    const newer = new Set(
      isBehind
        ? await findNewer(
            bus,
            changes.flatMap(({ change }) => change ?? []),
          )
        : [],
    )
    for (const { id, data, change } of changes) {
      if (!change || newer.has(change)) {
        if (left === 0) break
        left--
        const reason = change
          ? await applyChange(bus, env, builtin, change, new Date())
          : 'This version of the bus does not know the change'
        if (reason) {
          skipped.push({ position: id, reason })
          await storeSkipped(bus, { url, position: id, reason }, data)
        }
      }
      peer.position = id
    }
    if (isBehind) await savePeer(bus, url, peer)
  }
  await retrySkipped(bus, env, builtin, url, Math.min(left, maxRetriesPerRun))
  for (const change of await findReleased(bus, left)) await applyChange(bus, env, builtin, change, new Date())
  return { skipped, isBehind }
}

async function savePeer({ db, peers }: Bus, url: string, { instance, position }: Peer) {
  const set = { instance: instance!, position }
  await db
    .insert(peers)
    .values({ url, ...set })
    .onConflictDoUpdate({ target: peers.url, set })
}
