// The scripted target of a simulation of the queue: answers requests by the behavior of their tasks, and records its own work.
import type { Random } from '../../lib/random.ts'
import type { EventLoop } from '../platform/event-loop.ts'
import type { Scripted, Target } from '../platform/network.ts'
import type { TaskPlan } from './plan.ts'
import type { Answer, TargetArrival } from './record.ts'

/** The longest time from the start of a lease until its request arrives at the target, in a simulation. */
const arrivalMs = 90

/** The JSON body of a request: the task, and the piece of a fraction. */
interface Payload {
  n: number
  _min?: number
  _max?: number
}

interface Reply {
  answer: Answer
  /** Milliseconds of work before the response. */
  work: number
  headers?: Record<string, string>
  /** Milliseconds that `Retry-After` asks for, at least. */
  retryAfter?: number
}

/** Target of the redirects, which answers every request with 200. */
const redirectPath = '/moved'

interface TargetOptions {
  loop: EventLoop
  random: Random
  plans: Map<number, TaskPlan>
  arrivals: TargetArrival[]
  /** Whether the target answers every request with success, at the end of a scenario. */
  isHealed: () => boolean
}

export const targetOf =
  ({ loop, random, plans, arrivals, isHealed }: TargetOptions): Target =>
  ({ url, headers, body }, answer) => {
    const { n, _min, _max } = JSON.parse(body) as Payload
    const piece = _min === undefined ? '' : `${_min}..${_max}`
    const id = headers['x-task-id']!
    const attempt = Number(headers['x-task-attempt'])
    if (url.endsWith(redirectPath)) {
      const redirected = arrivals.findLast((one) => one.id === id && one.attempt === attempt && one.piece === piece)!
      redirected.answer = 200
      return answer({ status: 200 })
    }
    const plan = plans.get(n)!
    const reply = isHealed() ? { answer: 200, work: 5 } : replyOf(random, plan, loop.now)
    const at = loop.elapsed
    arrivals.push({
      n,
      id,
      attempt,
      piece,
      at,
      worked: at + Math.min(reply.work, plan.timeout - arrivalMs),
      answer: reply.answer,
      retryAfter: reply.retryAfter ?? 0,
    })
    if (reply.answer !== 'none') loop.schedule(reply.work, () => answer(scripted(reply)))
  }

function scripted({ answer, headers }: Reply): Scripted | undefined {
  if (answer === 'reset') return undefined
  const status = answer === 'torn' ? 200 : (answer as number)
  return { status, ...(headers && { headers }), body: 'ok', isTorn: answer === 'torn' }
}

const fails = (random: Random, plan: TaskPlan, now: number): Reply => {
  const work = random.between(0, 300)
  const seconds = random.between(0, 4)
  return random.oneOf<Reply>([
    [{ answer: 500, work }, 3],
    [{ answer: 404, work }, 1],
    [{ answer: 503, work, headers: { 'retry-after': String(seconds) }, retryAfter: seconds * 1_000 }, 1],
    // A date has whole seconds, and is compared with the wall clock after the work.
    [{ answer: 429, work, headers: { 'retry-after': new Date(now + 3_000).toUTCString() }, retryAfter: 1_500 }, 1],
    [{ answer: 302, work, headers: { location: redirectPath } }, 1],
    [{ answer: 'torn', work }, 1],
    [{ answer: 'reset', work }, 1],
    [{ answer: 'none', work: random.between(0, plan.timeout) }, 1],
    [{ answer: 200, work: plan.timeout + random.between(-60, 500) }, 1],
  ])
}

function replyOf(random: Random, plan: TaskPlan, now: number): Reply {
  if (plan.behavior === 'dead') return fails(random, plan, now)
  if (plan.behavior === 'slow') return { answer: 200, work: random.between(200, plan.timeout - 100) }
  if (plan.behavior === 'flaky' && random.share() < 0.5) return fails(random, plan, now)
  return {
    answer: random.oneOf([
      [200, 3],
      [204, 1],
    ]),
    work: random.between(0, 60),
  }
}
