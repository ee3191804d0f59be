// The durable objects of a simulated queue: the backlog of one worker, and the registry, which has the worker woken.
import { migrate } from '#core/objects/migrate'
import { Backlog } from '#queue/backlog'
import type { Env } from '#queue/bindings'
import { migrations } from '#queue/migrations'
import { WorkerRegistry } from '#queue/registry'
import { RemoteFetch } from '#queue/remote-fetch'
import type { Random } from '../../lib/random.ts'
import { Disk } from '../platform/disk.ts'
import type { EventLoop } from '../platform/event-loop.ts'
import { type Platform, SimulatedObject } from '../platform/object.ts'
import { stubOf } from '../platform/rpc.ts'
import { serviceFor } from '../platform/service.ts'
import { storageOutside } from '../platform/storage.ts'
import type { QueuePlan } from './plan.ts'
import type { QueueRecord } from './record.ts'

interface ClusterOptions {
  plan: QueuePlan
  loop: EventLoop
  random: Random
  record: QueueRecord
  /** Whether there are no faults any more, at the end of a scenario. */
  isHealed: () => boolean
}

export interface Cluster {
  env: Env
  backlog: SimulatedObject
  registry: SimulatedObject
}

let disks: { backlog: Disk; registry: Disk } | undefined

/** The disks of this thread, as if they had just been migrated. */
function freshDisks() {
  if (disks) for (const disk of Object.values(disks)) disk.reset()
  else {
    disks = { backlog: new Disk(), registry: new Disk() }
    migrate(storageOutside(disks.backlog), migrations)
    // The constructor migrates.
    new WorkerRegistry({ storage: storageOutside(disks.registry) } as never, {} as never)
    for (const disk of Object.values(disks)) disk.keep()
  }
  return disks
}

export function clusterOf(options: ClusterOptions): Cluster {
  const { plan, loop, random } = options
  const link = { loop, latency: () => random.share() * plan.maxLatency }
  const env = { ALLOW_PRIVATE_TARGETS: 'true' } as Env
  const platform = platformOf(options, link.latency, env)
  const { backlog: backlogDisk, registry: registryDisk } = freshDisks()
  const backlog = new SimulatedObject(plan.worker.name, backlogDisk, platform, (ctx) => new Backlog(ctx, env))
  const registry = new SimulatedObject(
    'registry',
    registryDisk,
    platform,
    (ctx) => new WorkerRegistry(ctx, env as never),
  )
  const namespaceOf = (object: SimulatedObject) => {
    const stub = stubOf(object, link)
    return { get: () => stub, getByName: () => stub } as never
  }
  env.BACKLOG = namespaceOf(backlog)
  env.REGISTRY = namespaceOf(registry)
  return { env, backlog, registry }
}

function platformOf(
  { plan, loop, random, record, isHealed }: ClusterOptions,
  latency: () => number,
  env: Env,
): Platform {
  let operations = 0
  let crashes = 0
  const isLossy = (share: number) => plan.isLossy && !isHealed() && random.share() < share
  const onCrash = () => void record.crashes.push(loop.elapsed)
  const link = {
    ...{ loop, latency, onLoss: onCrash },
    lossDelay: () => (isLossy(0.4) ? random.between(0, 100) : undefined),
    endsWithCaller: () => random.share() < 0.5,
  }
  return {
    loop,
    latency,
    commitDelay: () => random.share() * plan.maxCommitDelay,
    isCrashHere: () => {
      const next = plan.crashes[crashes] ?? Number.POSITIVE_INFINITY
      if (++operations < next || isHealed()) return false
      operations = 0
      crashes++
      return true
    },
    isReplyLost: () => isLossy(0.1),
    isAlarmLost: () => random.share() < 0.1,
    onCrash,
    exportsFor: (process) => ({
      RemoteFetch: serviceFor(process, link, () => new RemoteFetch({} as never, env)),
    }),
    onFault: (message) => void record.faults.push(message),
  }
}
