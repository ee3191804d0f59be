// Starts the peers of our queue in the benchmark, each with its database server.
import { startPostgres } from '../../scripts/lib/postgres-server.ts'
import { installPeers } from '../install.ts'
import type { QueueContender } from './contender.ts'
import { startRedis } from './redis.ts'
import { type Remote, start } from './remote.ts'

interface Peers {
  contenders: Map<string, Remote<QueueContender>>
  /** Peers that cannot be measured on this machine, with the reason. */
  missing: string[]
  stop(): Promise<void>
}

/** Installs and starts the available peers. */
export async function startPeers(url: string): Promise<Peers> {
  const contenders: Peers['contenders'] = new Map()
  const stops: (() => unknown)[] = []
  const missing: string[] = []
  const attempt = async (name: string, begin: () => Promise<void>) => {
    try {
      await begin()
    } catch (error) {
      missing.push(`without ${name}: ${String(error).split('\n')[0]}`)
    }
  }
  const startAll = async () => {
    await installPeers()
    await attempt('BullMQ', startBullMq)
    await attempt('graphile-worker', startGraphile)
  }
  const startBullMq = async () => {
    const redis = await startRedis()
    stops.push(redis.stop)
    contenders.set('BullMQ', await start('bench/queue/bullmq.ts', String(redis.port), url))
  }
  const startGraphile = async () => {
    const postgres = await startPostgres({ durable: true })
    stops.push(postgres.stop)
    for (const tuning of ['recommended', 'pushed']) {
      const contender = await start<QueueContender>('bench/queue/graphile.ts', postgres.url, url, tuning)
      contenders.set(`graphile-worker, ${tuning}`, contender)
    }
  }
  await attempt('BullMQ and graphile-worker', startAll)
  return {
    contenders,
    missing,
    stop: async () => {
      for (const contender of contenders.values()) await contender.end()
      for (const stop of stops) await stop()
    },
  }
}
