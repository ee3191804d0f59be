// Kills processes of the stack at random times during a chaos run.
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { Victim } from './victim.ts'

interface KillPlan {
  victim: Victim
  random: Random
  kills: number
  /** Name of a component whose container is killed too. */
  container?: string
  /** Total work of the run, such as the number of tasks. `done` returns the finished part in the same unit. */
  total: number
  done(): number
  /**
   * Whether a request is in progress that a kill would interrupt. The first kill waits for this, and so do half of the
   * others.
   */
  isBusy?(): boolean
  /** Called with the number of each kill, before its signal is sent. */
  onKill?(kill: number): void
}

/** Time without progress after which the next kill comes anyway, whatever it waits for. */
const stallTimeoutMs = 10_000

/**
 * Kills the running stack at random points of the run. The stack runs again when this function returns. A third of the
 * kills hit workerd only; if `container` is set, a third of the others hit the container only; and some hit the stack
 * while it starts.
 */
export async function killRepeatedly({ victim, random, kills, container, total, done, isBusy, onKill }: KillPlan) {
  const marks = Array.from({ length: kills }, () => total * (0.02 + 0.9 * random.share())).sort((a, b) => a - b)
  for (const mark of marks) {
    if (victim.kills.length >= kills) return
    await reached(mark, done)
    const isFirst = victim.kills.length === 0
    if (isBusy && (isFirst || random.share() < 1 / 2)) await busy(isBusy)
    // A random delay makes kills hit every phase of a request. The first kill has no delay, so that it surely
    // interrupts a request.
    if (!(isBusy && isFirst)) await pause(random.between(0, 30))
    onKill?.(victim.kills.length + 1)
    if (random.share() < 1 / 3 && (await victim.killRuntime())) continue
    if (container && random.share() < 1 / 3 && (await victim.killContainer(container))) continue
    await victim.kill()
    const isUp = victim.start()
    if (victim.kills.length < kills && random.share() < 1 / 5) {
      isUp.catch(() => undefined) // The next kill prevents the start.
      await pause(random.between(0, 2_500))
      onKill?.(victim.kills.length + 1)
      await victim.kill()
      await victim.start()
    } else await isUp
  }
}

async function reached(mark: number, done: () => number) {
  let since = Date.now()
  for (let seen = done(); seen < mark && Date.now() - since < stallTimeoutMs; await pause(5)) {
    if (done() === seen) continue
    seen = done()
    since = Date.now()
  }
}

async function busy(isBusy: () => boolean) {
  for (const began = Date.now(); Date.now() - began < stallTimeoutMs && !isBusy(); ) await pause(1)
}
