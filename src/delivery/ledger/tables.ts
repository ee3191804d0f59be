import type { Channel, DeliveryStatus } from '../contract.ts'

/**
 * What a ledger keeps. Personal data is in `recipients` alone, for as long as there is something to send to them; `targets` has
 * hashes. The indexes are partial: a message costs mostly the pages that it writes.
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
  -- With commas between them.
  channels TEXT NOT NULL,
  max_per_second REAL,
  -- Of the definition.
  version INTEGER NOT NULL,
  -- Of all that SQL has a copy of; the last one that was copied; whether the definition was changed since.
  revision INTEGER NOT NULL,
  copied INTEGER NOT NULL,
  is_amended INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Pieces whose page is in or given up, those given up, those with nothing left to send.
  fetched INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  processed INTEGER NOT NULL DEFAULT 0,
  recipients INTEGER NOT NULL DEFAULT 0,
  -- Messages that are not settled; and all, by channel, state and reason: JSON.
  open INTEGER NOT NULL DEFAULT 0,
  counts TEXT NOT NULL DEFAULT '{}',
  -- Items of pieces that are over, and the share of those that are not.
  items INTEGER NOT NULL DEFAULT 0,
  share REAL NOT NULL DEFAULT 0,
  progress REAL NOT NULL DEFAULT 0,
  -- When the next message may go, in milliseconds.
  next_at REAL NOT NULL DEFAULT 0,
  -- The queue's task that brings the pieces; the number of the next one, and where that begins while it is not known to be there.
  fraction TEXT,
  fraction_number INTEGER NOT NULL DEFAULT 0,
  fraction_from INTEGER
);
CREATE TABLE definition (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL);
CREATE TABLE pieces (
  min INTEGER PRIMARY KEY,
  max INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- How often it was begun, and how often its page could not be had.
  attempts INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  -- Until when somebody is at it; or from when on it may be tried again.
  at INTEGER NOT NULL,
  recipients INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX pieces_state ON pieces (state, min) WHERE state <> 'processed';
CREATE TABLE recipients (
  id INTEGER PRIMARY KEY,
  data TEXT NOT NULL,
  -- How many messages to it are not settled, or may be retried.
  open INTEGER NOT NULL
);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  piece INTEGER NOT NULL,
  place INTEGER NOT NULL,
  channel TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  -- Who is not there any more once all messages to them are settled.
  recipient INTEGER,
  -- While its page is not in.
  hash TEXT,
  claims INTEGER NOT NULL DEFAULT 0,
  -- How often it was certainly not sent.
  tries INTEGER NOT NULL DEFAULT 0,
  -- From when on it may be sent; until when it is claimed; when it was settled.
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
-- Tasks that are to be taken back.
CREATE TABLE stale (task TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE slices (id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT, at INTEGER NOT NULL);
`

/** Holds of outlets, retries of a delivery that has finished, and idempotency keys of sends. */
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
-- When the delivery finished; nothing once the data for a retry is deleted.
ALTER TABLE head ADD COLUMN ended_at INTEGER;
-- Attempts that came to an end, and how often the source was down at this piece.
ALTER TABLE pieces ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pieces ADD COLUMN outages INTEGER NOT NULL DEFAULT 0;
-- Part of the idempotency key, which changes after each certain failure; when the key was first used, 0 for never.
ALTER TABLE messages ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN key_at INTEGER NOT NULL DEFAULT 0;
-- 1: send again under another key if the outcome is still unknown; 2: that was done.
ALTER TABLE messages ADD COLUMN may_duplicate INTEGER NOT NULL DEFAULT 0;
-- When an outlet first refused it without saying whose fault that is; 0 for never.
ALTER TABLE messages ADD COLUMN refused_at INTEGER NOT NULL DEFAULT 0;
DROP INDEX messages_queued;
CREATE INDEX messages_queued ON messages (channel, at, id) WHERE state = 'queued';
-- The version before deleted the recipients of all settled messages, and their ids may belong to others by now.
UPDATE messages SET recipient = NULL WHERE state NOT IN ('staged', 'queued', 'claimed');
`

/** The steps that bring the tables of a ledger up to date; one is only ever appended. */
export const tableSteps = [createTables, addOutlets]

/** The one row of `head`; times in milliseconds. */
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

/** The same with its counts read: how many messages, by channel, state and reason with blanks between. */
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

/** How a message is counted. */
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
