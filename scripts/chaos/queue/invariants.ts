// The invariants of tasks that a chaos run of the queue checks, whatever processes were killed.
import type { Invariant } from '../invariant.ts'
import type { Kill } from '../victim.ts'
import { noMoreThanDaemons, noMoreThanPerKey, repeated, strictOrder } from './concurrency.ts'
import type { Arrival, QueueRun, RecordedTask, TaskResult } from './record.ts'

const endStates = ['done', 'failed', 'lost']

const byNumber = ({ arrivals }: QueueRun) => Map.groupBy(arrivals, ({ number }) => number)

const isTask = ({ range }: RecordedTask) => !range

/** The tasks whose creation the queue acknowledged, with their results. */
const acknowledged = ({ entries, outcomes }: QueueRun) =>
  entries.flatMap((entry) => (entry.id ? [{ ...entry, id: entry.id, outcome: outcomes.get(entry.id) }] : []))

const nameOf = ({ number, id, worker, behavior, retries }: RecordedTask) =>
  `${id ?? `an unacknowledged task of ${worker}`} (number ${number}, ${behavior}, ${retries} retries)`

const pieceOf = ({ piece }: Arrival) => (piece ? `${piece.min}–${piece.max}` : 'all')

/** Checks tasks without retries, including those whose creation got no reply: the queue may have stored them. */
const atMostOnce: Invariant<QueueRun> = {
  name: 'no task without retries reaches the target twice',
  violations: (run) => {
    const reached = byNumber(run)
    return run.entries
      .filter(({ retries }) => retries === 0)
      .flatMap((entry) =>
        repeated(reached.get(entry.number) ?? [], pieceOf).map((piece) => `${nameOf(entry)}: ${piece} came again`),
      )
  },
}

const noAttemptTwice: Invariant<QueueRun> = {
  name: 'no attempt reaches the target twice, and none comes after the last',
  violations: (run) => {
    const reached = byNumber(run)
    return run.entries.flatMap((entry) => {
      const arrivals = reached.get(entry.number) ?? []
      const twice = repeated(arrivals, (arrival) => `attempt ${arrival.attempt} of ${pieceOf(arrival)}`)
      const late = arrivals.filter(({ attempt }) => attempt > entry.retries + 1)
      return [
        ...twice.map((attempt) => `${nameOf(entry)}: ${attempt} came again`),
        ...late.map(({ attempt }) => `${nameOf(entry)}: attempt ${attempt} came`),
      ]
    })
  },
}

const oneId: Invariant<QueueRun> = {
  name: 'a task that was created once is one task, with the acknowledged id',
  violations: (run) => {
    const reached = byNumber(run)
    const twice = repeated(acknowledged(run), ({ id }) => id).map((id) => `${id} was answered twice`)
    const renamed = run.entries.flatMap((entry) => {
      const ids = new Set([...(entry.id ? [entry.id] : []), ...(reached.get(entry.number) ?? []).map(({ id }) => id)])
      return ids.size > 1 ? [`${nameOf(entry)}: ${[...ids].join(', ')}`] : []
    })
    return [...twice, ...renamed]
  },
}

const comesToAnEnd: Invariant<QueueRun> = {
  name: 'every task is done, failed or lost',
  violations: (run) => [
    ...acknowledged(run)
      .filter(({ outcome }) => !outcome)
      .map((entry) => `${nameOf(entry)} does not exist`),
    ...[...run.outcomes]
      .filter(([, { state }]) => !endStates.includes(state))
      .map(([id, { state }]) => `${id} is ${state}`),
  ],
}

const correctResults: Invariant<QueueRun> = {
  name: 'the target replied with success to each task that is done, and to none that failed',
  violations: (run) => {
    const reached = byNumber(run)
    return acknowledged(run)
      .filter(isTask)
      .flatMap((entry) => {
        const answers = (reached.get(entry.number) ?? []).map(({ answer }) => answer)
        const state = entry.outcome?.state
        const isWrong = state === 'done' ? !answers.includes('success') : state === 'failed' && !hasFailed(answers)
        return isWrong ? [`${nameOf(entry)} is ${state}, its answers: ${answers.join(', ') || 'none'}`] : []
      })
  },
}

const hasFailed = (answers: Arrival['answer'][]) =>
  !answers.includes('success') && answers.some((answer) => answer !== 'none')

const lostTasks = ({ outcomes }: QueueRun) =>
  [...outcomes].flatMap(([id, outcome]) => (outcome.state === 'lost' && !outcome.pieces ? [{ id, ...outcome }] : []))

/** A task may be lost only if its lease began before a kill and the queue found the lease afterwards. */
const lostAtAKill: Invariant<QueueRun> = {
  name: 'each lost task held a lease at a kill',
  violations: (run) =>
    lostTasks(run)
      .filter((task) => !run.kills.some((kill) => held(task, kill)))
      .map(({ id, started, ended }) => `${id}: its lease was from ${at(started)} to ${at(ended)}`),
}

/**
 * Whether a task held a lease during a kill. A task's times are rounded down to seconds, so a second is added to its
 * end.
 */
const held = ({ started, ended }: TaskResult, kill: Kill) =>
  started !== null && ended !== null && started <= kill.endedAt && ended + 1_000 > kill.at

/** The worker of a task, from its id: the name of the worker, a hyphen and a number. */
const workerOf = (id: string) => id.slice(0, id.lastIndexOf('-'))

const at = (time: number | null) => (time === null ? 'never' : new Date(time).toISOString())

/**
 * Each kill may interrupt at most one request per daemon. Counts tasks and pieces of fractions, whether or not their
 * creation was acknowledged.
 */
const fewLost: Invariant<QueueRun> = {
  name: 'at most daemons × kills tasks are lost',
  violations: (run) =>
    Object.entries(run.daemons).flatMap(([worker, daemons]) => {
      const outcomes = [...run.outcomes].flatMap(([id, outcome]) => (workerOf(id) === worker ? [outcome] : []))
      const lost = outcomes.reduce((sum, { state, pieces }) => sum + (pieces?.lost ?? Number(state === 'lost')), 0)
      const max = daemons * run.kills.length
      return lost > max ? [`${worker}: ${lost} lost, ${max} at max`] : []
    }),
}

const atLeastOnce: Invariant<QueueRun> = {
  name: 'every task with retries reaches the target',
  violations: (run) => {
    const reached = byNumber(run)
    return acknowledged(run)
      .filter(({ retries, number }) => retries > 0 && !reached.has(number))
      .map((entry) => `${nameOf(entry)} never arrived, and is ${entry.outcome?.state}`)
  },
}

/**
 * Checks the order of tasks on workers of one daemon. Two tasks that were created concurrently may come in either
 * order.
 */
const inOrder: Invariant<QueueRun> = {
  name: 'tasks without a delay reach a worker of one daemon in the order of their creation',
  violations: ({ entries, arrivals, daemons }) => {
    const plain = new Map(entries.flatMap((one) => (one.range || one.delay > 0 ? [] : [[one.number, one]])))
    return Object.keys(daemons)
      .filter((worker) => daemons[worker] === 1)
      .flatMap((worker) => {
        const first = arrivals.filter((one) => one.worker === worker && one.attempt === 1)
        first.sort((a, b) => a.began - b.began)
        let latest = 0
        return first.flatMap(({ number }) => {
          const entry = plain.get(number)
          if (!entry) return []
          const isLate = entry.id !== undefined && entry.repliedAt < latest
          latest = Math.max(latest, entry.sent)
          return isLate ? [`${nameOf(entry)} came after a later one`] : []
        })
      })
  },
}

/** The pieces that arrived and the lost pieces must together be the range of the fraction, divided by its gap. */
const wholeRange: Invariant<QueueRun> = {
  name: 'the pieces of a fraction cover its range exactly, and each lost piece is listed',
  violations: (run) => {
    const reached = byNumber(run)
    return acknowledged(run).flatMap((entry) => {
      if (!entry.range || !entry.outcome) return []
      const came = new Set((reached.get(entry.number) ?? []).map(pieceOf))
      const lost = new Set(
        entry.outcome.unhappy?.filter(({ state }) => state === 'lost').map(({ min, max }) => `${min}–${max}`),
      )
      const cut = new Set(cutsOf(entry.range))
      const missing = [...cut].filter((piece) => !came.has(piece) && !lost.has(piece))
      const foreign = [...came, ...lost].filter((piece) => !cut.has(piece))
      return [
        ...missing.map((piece) => `${nameOf(entry)}: ${piece} never arrived, and is not lost`),
        ...foreign.map((piece) => `${nameOf(entry)}: ${piece} is not one of its pieces`),
      ]
    })
  },
}

function cutsOf({ min, max, gap }: { min: number; max: number; gap: number }): string[] {
  const pieces: string[] = []
  for (let from = min; from <= max; from += gap) pieces.push(`${from}–${Math.min(max, from + gap - 1)}`)
  return pieces
}

const countsPieces: Invariant<QueueRun> = {
  name: 'a fraction counts each of its pieces once, by its result',
  violations: (run) => {
    const reached = byNumber(run)
    return acknowledged(run).flatMap((entry) => {
      const { pieces, unhappy = [] } = entry.outcome ?? {}
      if (!entry.range || !pieces) return []
      const successes = (reached.get(entry.number) ?? []).filter(({ answer }) => answer === 'success')
      const succeeded = new Set(successes.map(pieceOf)).size
      const total = cutsOf(entry.range).length
      const named = (state: string) => unhappy.filter((piece) => piece.state === state).length
      const isRight =
        pieces.total === total &&
        pieces.done + pieces.failed + pieces.lost === total &&
        pieces.failed === named('failed') &&
        pieces.lost === named('lost') &&
        // Not equal: a piece that succeeded just before a kill may be recorded as lost.
        pieces.done <= succeeded
      const counted = `${pieces.done} done, ${pieces.failed} failed, ${pieces.lost} lost of ${pieces.total}`
      return isRight ? [] : [`${nameOf(entry)}: ${counted}; ${succeeded} succeeded, ${total} in all`]
    })
  },
}

export const resumesByItself: Invariant<Pick<QueueRun, 'arrivals' | 'daemons' | 'unattended'>> = {
  name: 'after a start every worker resumes without a call',
  violations: ({ arrivals, daemons, unattended }) =>
    Object.keys(daemons)
      .filter(
        (name) =>
          !arrivals.some((one) => one.worker === name && one.began > unattended.from && one.began < unattended.to),
      )
      .map((name) => `${name} had a due task, and sent no request for ${(unattended.to - unattended.from) / 1_000} s`),
}

const noErrorReplies: Invariant<QueueRun> = {
  name: 'the creation of a task succeeds, or gets no reply',
  violations: ({ errorReplies }) => errorReplies,
}

export const invariants: Invariant<QueueRun>[] = [
  atMostOnce,
  noAttemptTwice,
  oneId,
  comesToAnEnd,
  correctResults,
  lostAtAKill,
  fewLost,
  atLeastOnce,
  noMoreThanDaemons,
  noMoreThanPerKey,
  strictOrder,
  inOrder,
  wholeRange,
  countsPieces,
  resumesByItself,
  noErrorReplies,
]
