import { eq } from 'drizzle-orm'
import type { TargetEnv } from '#core/outgoing/url'
import { applyChange, findNewer } from './apply.ts'
import { findUnblocked } from './blocked.ts'
import { LoggedChange, type LogPage } from './contract.ts'
import type { Bus } from './schema.ts'
import { keepSkipped, retrySkipped } from './skipped.ts'

// With at most four queries a change this stays below the fifty that D1's free plan allows a run.
const changesAtOnce = 10
const pagesAtOnce = 4
const maxRetries = 3

interface Peer {
  instance: string | null
  position: number
}

/** Of which instance the log at an address was, and how far it was read. */
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
  /** Whether there may be more to read at once. */
  isBehind: boolean
}

/**
 * Reads on in the log of the instance at an address, and applies what is new in it: so many pages and changes at a time. A
 * log of another instance is read from its start, and one that ends before what was read, as it does after a backup.
 */
export async function catchUp(
  bus: Bus,
  env: TargetEnv,
  builtin: string,
  url: string,
  readPage: (after: number) => Promise<LogPage>,
): Promise<Progress> {
  const skipped: Skipped[] = []
  let peer = await findPeer(bus, url)
  let left = changesAtOnce
  let isBehind = true
  for (let pages = 0; pages < pagesAtOnce && isBehind && left > 0; pages++) {
    // From one before: what was read last is there again, or has moved on, unless the log ends before it.
    const asked = Math.max(peer.position - 1, 0)
    const { instance, documents } = await readPage(asked)
    const hasEnded = peer.position > 0 && documents.length === 0
    if (instance !== peer.instance || hasEnded) {
      peer = { instance, position: 0 }
      await keepPeer(bus, url, peer)
      if (asked > 0) continue
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
          : 'It is no change that this version knows'
        if (reason) {
          skipped.push({ position: id, reason })
          await keepSkipped(bus, { url, position: id, reason }, data)
        }
      }
      peer.position = id
    }
    if (isBehind) await keepPeer(bus, url, peer)
  }
  await retrySkipped(bus, env, builtin, url, Math.min(left, maxRetries))
  for (const change of await findUnblocked(bus, left)) await applyChange(bus, env, builtin, change, new Date())
  return { skipped, isBehind }
}

async function keepPeer({ db, peers }: Bus, url: string, { instance, position }: Peer) {
  const set = { instance: instance!, position }
  await db
    .insert(peers)
    .values({ url, ...set })
    .onConflictDoUpdate({ target: peers.url, set })
}
