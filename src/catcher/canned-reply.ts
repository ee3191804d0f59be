// The canned reply of a space: the only stub of the space after `PUT /_requests_/reply`.
import type { CannedReply, NewReply, RequestMatch } from './contract/stubs.ts'
import { remainingOf, repliesOf, type Stubs } from './stubs.ts'

/** The table of the canned reply in spaces that an older version created. A later migration makes it a stub. */
export const createReplies = `
  CREATE TABLE reply (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    set_at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body TEXT,
    json TEXT,
    delay INTEGER NOT NULL,
    times INTEGER,
    remaining INTEGER,
    method TEXT,
    path TEXT
  )`

const defaultPriority = 5

/** Sets the canned reply of a space and replaces all stubs. */
export function setReply(stubs: Stubs, { times, method, path, ...reply }: NewReply, now: number) {
  stubs.clear()
  const match = { ...(method !== undefined && { method }), ...(path !== undefined && { path }) }
  const stub = { priority: defaultPriority, match, replies: [{ ...reply, slow_ms: 0 }], times }
  stubs.add(stub, now, { isCanned: true })
}

export function findReply(stubs: Stubs): CannedReply | undefined {
  const row = stubs.canned()
  if (!row) return undefined
  const { method = null, path = null } = JSON.parse(row.matching) as RequestMatch
  const { slow_ms: _, ...reply } = repliesOf(row)[0]!
  return { ...reply, times: row.times, remaining: remainingOf(row), method, path }
}

/** Deletes the canned reply. Other stubs stay. */
export function removeReply(stubs: Stubs) {
  const row = stubs.canned()
  if (row) stubs.remove(row.id)
}
