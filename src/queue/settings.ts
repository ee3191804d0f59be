// The settings of a worker as one of its durable objects applies them: its share of the daemons, the rate and the retention.
import type { WorkerSettings } from './contract/settings.ts'

/** A durable object of a worker: the shard, 0 to 63, of the tasks whose keys have its hash. */
export interface QueueShard {
  worker: string
  shard: number
}

/** Name of a durable object: that of its worker, with the number of the shard after the first one. */
export const objectName = ({ worker, shard }: QueueShard) => (shard === 0 ? worker : `${worker}/${shard}`)

/** The shard of an object's name. The name of a worker has no slash. */
export function parseObjectName(name: string): QueueShard {
  const [worker = '', shard = '0'] = name.split('/')
  return { worker, shard: Number(shard) }
}

/** The settings that one object applies. Durations are milliseconds. */
export interface ShardSettings {
  /** Number of shards of the worker. A call that was made for another number is refused. */
  shards: number
  daemons: number
  /** Tasks of one flow key that run at a time. */
  keyConcurrency: number
  isOrdered: boolean
  keyRate: Pace | undefined
  rate: Pace | undefined
  /** Whether a daemon waits for the deadline of a request that was lost. */
  isStrict: boolean
  retentionMs: number | undefined
  maxEnded: number | undefined
}

/** A rate limit: at most `limit` requests start in `periodMs`. */
interface Pace {
  limit: number
  periodMs: number
}

const paceOf = (rate: { limit: number; period: number } | undefined): Pace | undefined =>
  rate && { limit: rate.limit, periodMs: Math.round(rate.period * 1_000) }

/** Divides a number between the shards: the first ones get one more if it does not divide evenly. */
const shareOf = (total: number, shard: number, shards: number) =>
  Math.floor(total / shards) + (shard < total % shards ? 1 : 0)

/** The settings of one shard. A shard beyond `shards` only has tasks from before the number was reduced: it gets no daemons. */
export function shardSettings(settings: WorkerSettings, shard: number): ShardSettings {
  const { daemons, per_key, rate, serial, shards, retention } = settings
  const share = (total: number) => (shard < shards ? shareOf(total, shard, shards) : 0)
  const pace = paceOf(rate)
  return {
    shards,
    daemons: share(daemons),
    keyConcurrency: per_key?.order ? 1 : (per_key?.concurrency ?? Number.POSITIVE_INFINITY),
    isOrdered: per_key?.order ?? false,
    keyRate: paceOf(per_key?.rate),
    rate: pace && { ...pace, limit: share(pace.limit) },
    isStrict: (serial ?? defaultSerial(daemons)) === 'strict',
    retentionMs: retention?.seconds === undefined ? undefined : retention.seconds * 1_000,
    maxEnded: retention?.count === undefined ? undefined : share(retention.count),
  }
}

export const defaultSerial = (daemons: number): 'strict' | 'resume' => (daemons === 1 ? 'strict' : 'resume')

/** The number of the shard of a flow key: its FNV-1a hash, modulo the number of shards. */
export function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % shards
}
