import { describe } from 'vitest'
import { laws } from '../../../scripts/chaos/queue/laws.ts'
import type { Arrival, QueueRun, RecordedTask, TaskResult } from '../../../scripts/chaos/queue/record.ts'
import { checkInvariants, type Violation } from '../../support/invariants.ts'

const second = 1_000

const entry = (number: number, more: Partial<RecordedTask> = {}): RecordedTask => ({
  number,
  id: `one-${number}`,
  worker: 'one',
  manner: 'at_once',
  retries: 0,
  delay: 0,
  sent: number * 100,
  told: number * 100 + 50,
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

/** One of each: done, failed, lost at the only kill, repeated after it, never answered; and a fraction that lost a piece. */
const kept = (): QueueRun => ({
  daemons: { one: 1, two: 2 },
  keyConcurrency: 1,
  kills: [{ at: 10_500, over: 10_520 }],
  alone: { from: 12 * second, to: 27 * second },
  refusals: [],
  entries: [
    entry(1),
    entry(2, { manner: 'error' }),
    entry(3),
    entry(4, { retries: 2, worker: 'two', id: 'two-1' }),
    { ...entry(5), id: undefined as never },
    entry(6, { worker: 'two', id: 'two-2', range: { min: 1, max: 25, gap: 10 }, manner: 'mixed' }),
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
  'a worker never has more requests open than it has daemons; with one daemon the target works on one at a time, also after kills'
const perKey = 'the target never works on more tasks of a key than may run at a time, also after kills'

/** For each law the least that breaks it. */
const offences: Violation<QueueRun>[] = [
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
  ['what was enqueued once is one task, under the id that was answered', (run) => (run.entries[1]!.id = 'one-1')],
  ['what was enqueued once is one task, under the id that was answered', (run) => (run.arrivals[0]!.id = 'one-9')],
  ['every task is done, failed or lost', (run) => (run.outcomes.get('one-5')!.state = 'waiting')],
  ['every task is done, failed or lost', (run) => run.outcomes.delete('one-1')],
  ['what is done was answered with success, and what failed was not', (run) => (run.arrivals[0]!.answer = 'error')],
  ['what is done was answered with success, and what failed was not', (run) => (run.arrivals[1]!.answer = 'success')],
  ['what is done was answered with success, and what failed was not', (run) => run.arrivals.splice(1, 1)],
  ['each lost task held a lease at a kill', (run) => (run.outcomes.get('one-3')!.started = 11 * second)],
  ['each lost task held a lease at a kill', (run) => (run.outcomes.get('one-3')!.ended = 9 * second)],
  ['no more are lost than daemons × kills', (run) => run.outcomes.set('one-5', run.outcomes.get('one-3')!)],
  ['no more are lost than daemons × kills', (run) => (run.outcomes.get('two-2')!.pieces!.lost = 3)],
  [
    'with retries every task reaches the target',
    (run) => (run.arrivals = run.arrivals.filter(({ number }) => number !== 4)),
  ],
  [oneAtATime, (run) => (run.arrivals[0]!.worked = 2_005)],
  [perKey, (run) => run.arrivals.slice(2, 4).map((one) => Object.assign(one, { key: 'a' }))],
  [
    'tasks without a delay reach a worker of one daemon in the order in which they were enqueued',
    (run) => (run.arrivals[0]!.began = 3 * second),
  ],
  ["a fraction's pieces cover its range exactly, each lost one is named", (run) => run.arrivals.pop()],
  [
    "a fraction's pieces cover its range exactly, each lost one is named",
    (run) => (run.outcomes.get('two-2')!.unhappy = []),
  ],
  [
    "a fraction's pieces cover its range exactly, each lost one is named",
    (run) => (run.arrivals.at(-1)!.piece = { min: 21, max: 30 }),
  ],
  [
    'a fraction counts each of its pieces once, as what it has become',
    (run) => (run.outcomes.get('two-2')!.pieces!.done = 1),
  ],
  [
    'a fraction counts each of its pieces once, as what it has become',
    (run) => (run.arrivals.at(-1)!.answer = 'error'),
  ],
  ['after a start every worker goes on by itself', (run) => (run.alone.from = 14 * second)],
  ['after a start every worker goes on by itself', (run) => (run.alone.to = 12_500)],
  ['who enqueues is answered with success, or not at all', (run) => run.refusals.push('500')],
]

describe('the laws of the queue', () => checkInvariants(laws, kept, offences))
