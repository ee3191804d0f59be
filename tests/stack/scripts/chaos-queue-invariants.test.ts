// Tests the invariants of chaos runs of the queue: a correct run satisfies all, and each finds its violation.
import { describe } from 'vitest'
import { invariants } from '../../../scripts/chaos/queue/invariants.ts'
import type { Arrival, QueueRun, RecordedTask, TaskResult } from '../../../scripts/chaos/queue/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const second = 1_000

const entry = (number: number, more: Partial<RecordedTask> = {}): RecordedTask => ({
  number,
  id: `one-${number}`,
  worker: 'one',
  behavior: 'at_once',
  retries: 0,
  delay: 0,
  sent: number * 100,
  repliedAt: number * 100 + 50,
  ...more,
})

const arrival = (number: number, began: number, more: Partial<Arrival> = {}): Arrival => ({
  number,
  id: `one-${number}`,
  attempt: 1,
  worker: 'one',
  began,
  ended: began + 10,
  worked: began + 10,
  answer: 'success',
  ...more,
})

const outcome = (state: string, started: number, more: Partial<TaskResult> = {}): TaskResult => ({
  state,
  attempts: 1,
  started,
  ended: started,
  ...more,
})

/**
 * A run that satisfies all invariants: a task that is done, one that failed, one lost at the only kill, one retried
 * after it, one without a reply, and a fraction with a lost piece.
 */
const correctRun = (): QueueRun => ({
  daemons: { one: 1, two: 2 },
  keyConcurrency: 1,
  strictWorkers: ['one', 'ordered'],
  kills: [{ at: 10_500, endedAt: 10_520 }],
  unattended: { from: 12 * second, to: 27 * second },
  errorReplies: [],
  entries: [
    entry(1),
    entry(2, { behavior: 'error' }),
    entry(3),
    entry(4, { retries: 2, worker: 'two', id: 'two-1' }),
    { ...entry(5), id: undefined as never },
    entry(6, { worker: 'two', id: 'two-2', range: { min: 1, max: 25, gap: 10 }, behavior: 'mixed' }),
  ],
  arrivals: [
    arrival(1, 1 * second),
    arrival(2, 2 * second, { answer: 'error' }),
    arrival(4, 10_490, { worker: 'two', id: 'two-1', answer: 'none', ended: 10_510 }),
    arrival(6, 10_495, { worker: 'two', id: 'two-2', piece: { min: 1, max: 10 } }),
    arrival(4, 13 * second, { worker: 'two', id: 'two-1', attempt: 2 }),
    arrival(5, 13 * second),
    arrival(6, 13 * second, { worker: 'two', id: 'two-2', piece: { min: 21, max: 25 } }),
  ],
  outcomes: new Map([
    ['one-1', outcome('done', 1 * second)],
    ['one-2', outcome('failed', 2 * second)],
    ['one-3', outcome('lost', 10 * second, { ended: 12 * second })],
    ['two-1', outcome('done', 13 * second, { attempts: 2 })],
    ['one-5', outcome('done', 13 * second)],
    [
      'two-2',
      outcome('lost', 13 * second, {
        attempts: 3,
        pieces: { total: 3, done: 2, failed: 0, lost: 1 },
        unhappy: [{ min: 11, max: 20, state: 'lost' }],
      }),
    ],
  ]),
})

const oneAtATime =
  'a worker never has more requests open than it has daemons; a strictly serial one gives the target no more work at a time, also after kills'
const perKey = 'the target never works on more tasks of a key than may run at a time, also after kills'

/** For each invariant, the smallest changes that violate it. */
const violations: Violation<QueueRun>[] = [
  ['no task without retries reaches the target twice', (run) => run.arrivals.push(arrival(1, 20 * second))],
  [
    'no task without retries reaches the target twice',
    (run) => run.arrivals.push(arrival(5, 20 * second, { attempt: 2 })),
  ],
  [
    'no attempt reaches the target twice, and none comes after the last',
    (run) => run.arrivals.push(arrival(4, 20 * second, { worker: 'two', id: 'two-1', attempt: 2 })),
  ],
  [
    'no attempt reaches the target twice, and none comes after the last',
    (run) => run.arrivals.push(arrival(4, 20 * second, { worker: 'two', id: 'two-1', attempt: 4 })),
  ],
  ['a task that was created once is one task, with the acknowledged id', (run) => (run.entries[1]!.id = 'one-1')],
  ['a task that was created once is one task, with the acknowledged id', (run) => (run.arrivals[0]!.id = 'one-9')],
  ['every task is done, failed or lost', (run) => (run.outcomes.get('one-5')!.state = 'waiting')],
  ['every task is done, failed or lost', (run) => run.outcomes.delete('one-1')],
  [
    'the target replied with success to each task that is done, and to none that failed',
    (run) => (run.arrivals[0]!.answer = 'error'),
  ],
  [
    'the target replied with success to each task that is done, and to none that failed',
    (run) => (run.arrivals[1]!.answer = 'success'),
  ],
  [
    'the target replied with success to each task that is done, and to none that failed',
    (run) => run.arrivals.splice(1, 1),
  ],
  ['each lost task held a lease at a kill', (run) => (run.outcomes.get('one-3')!.started = 11 * second)],
  ['each lost task held a lease at a kill', (run) => (run.outcomes.get('one-3')!.ended = 9 * second)],
  ['at most daemons × kills tasks are lost', (run) => run.outcomes.set('one-5', run.outcomes.get('one-3')!)],
  ['at most daemons × kills tasks are lost', (run) => (run.outcomes.get('two-2')!.pieces!.lost = 3)],
  [
    'every task with retries reaches the target',
    (run) => (run.arrivals = run.arrivals.filter(({ number }) => number !== 4)),
  ],
  [oneAtATime, (run) => (run.arrivals[0]!.worked = 2_005)],
  [perKey, (run) => run.arrivals.slice(2, 4).map((one) => Object.assign(one, { key: 'a' }))],
  [
    'with order, no task of a key comes between two attempts of another one',
    (run) => {
      const ordered = { worker: 'ordered', key: 'order-1' }
      for (const [at, number] of [7, 8, 7].entries())
        run.arrivals.push(arrival(number, (20 + at) * second, { ...ordered, attempt: at + 1 }))
    },
  ],
  [
    'tasks without a delay reach a worker of one daemon in the order of their creation',
    (run) => (run.arrivals[0]!.began = 3 * second),
  ],
  ['the pieces of a fraction cover its range exactly, and each lost piece is listed', (run) => run.arrivals.pop()],
  [
    'the pieces of a fraction cover its range exactly, and each lost piece is listed',
    (run) => (run.outcomes.get('two-2')!.unhappy = []),
  ],
  [
    'the pieces of a fraction cover its range exactly, and each lost piece is listed',
    (run) => (run.arrivals.at(-1)!.piece = { min: 21, max: 30 }),
  ],
  ['a fraction counts each of its pieces once, by its result', (run) => (run.outcomes.get('two-2')!.pieces!.done = 1)],
  ['a fraction counts each of its pieces once, by its result', (run) => (run.arrivals.at(-1)!.answer = 'error')],
  ['after a start every worker resumes without a call', (run) => (run.unattended.from = 14 * second)],
  ['after a start every worker resumes without a call', (run) => (run.unattended.to = 12_500)],
  ['the creation of a task succeeds, or gets no reply', (run) => run.errorReplies.push('500')],
]

describe('the invariants of the queue', () => checkInvariants(invariants, correctRun, violations))
