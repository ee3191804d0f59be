// Defects to plant in the queue, each of which the simulation must find.
import type { Defect } from '../module-hooks.ts'

const inFile = (file: string, name: string, from: string, to = ''): Defect => ({
  name,
  file: `src/queue/${file}`,
  from,
  to,
})

export const defects: Defect[] = [
  inFile(
    'ready-queue.ts',
    'a lease is not stored before its request',
    'done.length + leased.length > 0',
    'done.length > 0',
  ),
  inFile('ready-queue.ts', 'the journal is not replayed after a crash', 'this.#replay(entry)', 'void entry'),
  inFile(
    'daemon-pool.ts',
    'a request over a socket leaves before its lease is durable',
    `!== 'POST') await`,
    `=== 'none') await`,
  ),
  inFile('leases.ts', 'one retry too many', 'row.tries > row.retries', 'row.tries > row.retries + 1'),
  inFile('leases.ts', 'a canceled task is retried', 'row.is_canceled === 1 || fraction', 'fraction'),
  inFile(
    'leases.ts',
    'a task that is retried is not counted as waiting',
    `countMoved(sql, row.kind, ['running', 'waiting'])`,
  ),
  inFile('leases.ts', 'Retry-After is ignored', 'outcome.retryAfterMs ?? 0', '0'),
  inFile(
    'holds.ts',
    'a lost request frees the slot of its key',
    'if (key !== null) addHold',
    'if (key === null) addHold',
  ),
  inFile('holds.ts', 'a serial worker does not wait for a lost request', '(isStrict ? deadline : now)', 'now'),
  inFile(
    'idempotency-keys.ts',
    'a repeated call creates a second task',
    'if (known) return known.task',
    `if (known) return add()`,
  ),
  inFile('flow-keys.ts', 'one task of a key too many', 'running < limit', 'running <= limit'),
  inFile('flow-keys.ts', 'the slot of a key is never freed', 'Math.max(0, key.running - 1)', 'key.running'),
  inFile('flow-keys.ts', 'with order, a task overtakes one that is retried', 'state.task = task', 'state.task = null'),
  inFile('key-states.ts', 'a rate limit is ten times too high', 'state.starts >= limit', 'state.starts >= limit * 10'),
  inFile(
    'due-rows.ts',
    'the newest task of a key comes first',
    '?3 ORDER BY due_at, id`',
    '?3 ORDER BY due_at DESC, id DESC`',
  ),
  inFile(
    'fractions.ts',
    'a fraction with a running piece ends',
    `state IN ('waiting', 'running')`,
    `state IN ('waiting')`,
  ),
  inFile(
    'backlog.ts',
    'a paused worker starts tasks after a crash',
    `ctx.storage.kv.get<boolean>('paused') ?? false`,
    'false',
  ),
]
