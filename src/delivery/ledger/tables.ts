// The SQLite tables of a ledger, the durable object of a delivery, with their migrations and the types of their rows.
import type { Channel, DeliveryStatus } from '../contract.ts'

/**
 * Creates the tables. Personal data is only in `recipients`, and only while there are messages to send to them; `targets` has
 * hashes. Indexes are partial, because the cost of a message is mainly the number of rows that it writes.
 */
const createTables = `
CREATE TABLE head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  ledger TEXT NOT NULL,
  status TEXT NOT NULL,
  is_paused INTEGER NOT NULL,
  min INTEGER NOT NULL,
  max INTEGER NOT NULL,
  gap INTEGER NOT NULL,
  -- Separated by commas.
  channels TEXT NOT NULL,
  max_per_second REAL,
  -- Incremented with each change of the definition.
  version INTEGER NOT NULL,
  -- Revision of the state that is copied to the database; the last copied one; whether the definition was changed since.
  revision INTEGER NOT NULL,
  copied INTEGER NOT NULL,
  is_amended INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Number of pieces that are fetched or failed, that are failed, that are processed.
  fetched INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  processed INTEGER NOT NULL DEFAULT 0,
  recipients INTEGER NOT NULL DEFAULT 0,
  -- Number of messages that are not settled; counters by channel, state and reason, as JSON.
  open INTEGER NOT NULL DEFAULT 0,
  counts TEXT NOT NULL DEFAULT '{}',
  -- Number of items of pieces that have ended, and the processed items of the others.
  items INTEGER NOT NULL DEFAULT 0,
  share REAL NOT NULL DEFAULT 0,
  progress REAL NOT NULL DEFAULT 0,
  -- Time of the next message, in milliseconds.
  next_at REAL NOT NULL DEFAULT 0,
  -- Task of the fraction; number of the next fraction, and its first item until the queue has confirmed it.
  fraction TEXT,
  fraction_number INTEGER NOT NULL DEFAULT 0,
  fraction_from INTEGER
);
CREATE TABLE definition (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL);
CREATE TABLE pieces (
  min INTEGER PRIMARY KEY,
  max INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- Number of attempts, and of failed ones.
  attempts INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  -- End of the lease, or time of the next attempt.
  at INTEGER NOT NULL,
  recipients INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX pieces_state ON pieces (state, min) WHERE state <> 'processed';
CREATE TABLE recipients (
  id INTEGER PRIMARY KEY,
  data TEXT NOT NULL,
  -- Number of messages that are not settled or can be retried.
  open INTEGER NOT NULL
);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  piece INTEGER NOT NULL,
  place INTEGER NOT NULL,
  channel TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  -- Its row is deleted when all its messages are settled.
  recipient INTEGER,
  -- Hash of the target while the message is staged.
  hash TEXT,
  claims INTEGER NOT NULL DEFAULT 0,
  -- Number of attempts that certainly did not send it.
  tries INTEGER NOT NULL DEFAULT 0,
  -- Queued: time from which it can be sent. Claimed: end of the lease. Settled: time of the outcome.
  at INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX messages_staged ON messages (piece) WHERE state = 'staged';
CREATE INDEX messages_queued ON messages (at, id) WHERE state = 'queued';
CREATE INDEX messages_claimed ON messages (at) WHERE state = 'claimed';
CREATE INDEX messages_unhappy ON messages (id) WHERE state IN ('failed', 'unknown');
CREATE TABLE targets (
  channel TEXT NOT NULL,
  hash TEXT NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (channel, hash)
) WITHOUT ROWID;
-- Tasks to be deleted.
CREATE TABLE stale (task TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE slices (id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT, at INTEGER NOT NULL);
`

/** Migration: adds the circuit breakers of outlets, retries of finished deliveries, and the age of idempotency keys. */
const addOutlets = `
CREATE TABLE outlets (
  name TEXT PRIMARY KEY,
  reason TEXT,
  attempts INTEGER NOT NULL,
  next_at REAL NOT NULL,
  probe TEXT,
  probe_until INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  rate REAL,
  ceiling REAL,
  paced_at REAL NOT NULL
) WITHOUT ROWID;
-- Time when the delivery finished; null after the data for a retry is deleted.
ALTER TABLE head ADD COLUMN ended_at INTEGER;
-- Number of attempts with a result, and of those that found the source down.
ALTER TABLE pieces ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pieces ADD COLUMN outages INTEGER NOT NULL DEFAULT 0;
-- Part of the idempotency key, which changes after each certain failure; when the key was first used, 0 for never.
ALTER TABLE messages ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN key_at INTEGER NOT NULL DEFAULT 0;
-- 1: send again under another key if the outcome is still unknown; 2: that was done.
ALTER TABLE messages ADD COLUMN may_duplicate INTEGER NOT NULL DEFAULT 0;
-- Time of the first temporary error that may concern the recipient; 0 for none.
ALTER TABLE messages ADD COLUMN refused_at INTEGER NOT NULL DEFAULT 0;
DROP INDEX messages_queued;
CREATE INDEX messages_queued ON messages (channel, at, id) WHERE state = 'queued';
-- The previous version deleted the recipients of settled messages, whose ids may be used by others now.
UPDATE messages SET recipient = NULL WHERE state NOT IN ('staged', 'queued', 'claimed');
`

/**
 * Migrations of a ledger's tables, in order. Existing steps must never change, since ledgers remember how many they have run.
 */
export const tableSteps = [createTables, addOutlets]

/** The single row of `head`. Times are in milliseconds. */
export type HeadRow = {
  ledger: string
  status: DeliveryStatus
  is_paused: number
  min: number
  max: number
  gap: number
  channels: string
  max_per_second: number | null
  version: number
  revision: number
  copied: number
  is_amended: number
  updated_at: number
  fetched: number
  failed: number
  processed: number
  recipients: number
  open: number
  counts: string
  items: number
  share: number
  progress: number
  next_at: number
  fraction: string | null
  fraction_number: number
  fraction_from: number | null
  ended_at: number | null
}

/** The state of a ledger, with parsed counters. The key of a counter is its channel, state and reason, separated by spaces. */
export type LedgerHead = Omit<HeadRow, 'counts'> & { counts: Record<string, number> }

export type PieceRow = {
  min: number
  max: number
  state: 'fetching' | 'waiting' | 'sending' | 'processed' | 'failed'
  attempts: number
  tries: number
  reason: string | null
  at: number
  recipients: number
  messages: number
  open: number
  ended: number
  outages: number
}

/** The state of a message, as the counters have it. A staged message is not counted yet. */
export type MessageState = 'queued' | 'claimed' | 'sent' | 'skipped' | 'failed' | 'unknown'

export type MessageRow = {
  id: number
  piece: number
  channel: Channel
  state: MessageState
  recipient: number | null
  claims: number
  tries: number
  epoch: number
  key_at: number
  may_duplicate: number
  refused_at: number
}
