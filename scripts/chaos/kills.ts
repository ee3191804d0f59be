// When the stack is killed, and how.
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { Victim } from './victim.ts'

interface Course {
  victim: Victim
  random: Random
  kills: number
  /** The component whose container is killed too. */
  container?: string
  /** How much will have been done in the end, and how much has. */
  whole: number
  done(): number
  /** Whether something is under way that a kill would break off; the first kill waits for it, and every second of the others. */
  isRipe?(): boolean
  /** Called with the number of each kill, while nothing runs. */
  onKill?(kill: number): void
}

// So long without any progress, and the next kill comes all the same.
const patience = 10_000

/**
 * Kills the running stack at moments that chance spreads over the work, and has it running again in the end. A third of
 * the kills take workerd alone, a third of the others a container alone where one is named, and some come while it starts.
 */
export async function killAgainAndAgain({ victim, random, kills, container, whole, done, isRipe, onKill }: Course) {
  const marks = Array.from({ length: kills }, () => whole * (0.02 + 0.9 * random.share())).sort((a, b) => a - b)
  for (const mark of marks) {
    if (victim.kills.length >= kills) return
    await reached(mark, done)
    const isFirst = victim.kills.length === 0
    if (isRipe && (isFirst || random.share() < 1 / 2)) await ripe(isRipe)
    // A request's whole course, so that no part of it is spared; but one at least breaks something off.
    if (!(isRipe && isFirst)) await pause(random.between(0, 30))
    onKill?.(victim.kills.length + 1)
    if (random.share() < 1 / 3 && (await victim.killRuntime())) continue
    if (container && random.share() < 1 / 3 && (await victim.killContainer(container))) continue
    await victim.kill()
    const isUp = victim.start()
    if (victim.kills.length < kills && random.share() < 1 / 5) {
      isUp.catch(() => undefined) // It will not be.
      await pause(random.between(0, 2_500))
      onKill?.(victim.kills.length + 1)
      await victim.kill()
      await victim.start()
    } else await isUp
  }
}

async function reached(mark: number, done: () => number) {
  let since = Date.now()
  for (let seen = done(); seen < mark && Date.now() - since < patience; await pause(5)) {
    if (done() === seen) continue
    seen = done()
    since = Date.now()
  }
}

async function ripe(isRipe: () => boolean) {
  for (const began = Date.now(); Date.now() - began < patience && !isRipe(); ) await pause(1)
}
