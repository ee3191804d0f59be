// What must hold of the queue, however often it was killed.
import type { Law } from '../law.ts'
import type { Kill } from '../victim.ts'
import type { Arrival, QueueRun, RecordedTask, TaskResult } from './record.ts'

const over = ['done', 'failed', 'lost']

const byNumber = ({ arrivals }: QueueRun) => Map.groupBy(arrivals, ({ number }) => number)

const isTask = ({ range }: RecordedTask) => !range

/** Those that the queue said it has taken, with what became of them. */
const taken = ({ entries, outcomes }: QueueRun) =>
  entries.flatMap((entry) => (entry.id ? [{ ...entry, id: entry.id, outcome: outcomes.get(entry.id) }] : []))

const nameOf = ({ number, id, worker, manner, retries }: RecordedTask) =>
  `${id ?? `an unanswered task of ${worker}`} (number ${number}, ${manner}, ${retries} retries)`

/** The keys that more than one item has. */
const repeated = <Item>(items: Item[], keyOf: (item: Item) => string): string[] =>
  [...Map.groupBy(items, keyOf)].flatMap(([key, same]) => (same.length > 1 ? [key] : []))

const pieceOf = ({ piece }: Arrival) => (piece ? `${piece.min}–${piece.max}` : 'all')

/** Also of those whose enqueuing was never answered. */
const atMostOnce: Law<QueueRun> = {
  name: 'no task without retries reaches the target twice',
  breaches: (run) => {
    const reached = byNumber(run)
    return run.entries
      .filter(({ retries }) => retries === 0)
      .flatMap((entry) =>
        repeated(reached.get(entry.number) ?? [], pieceOf).map((piece) => `${nameOf(entry)}: ${piece} came again`),
      )
  },
}

const noAttemptTwice: Law<QueueRun> = {
  name: 'no attempt reaches the target twice, and none comes after the last',
  breaches: (run) => {
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

const oneId: Law<QueueRun> = {
  name: 'what was enqueued once is one task, under the id that was answered',
  breaches: (run) => {
    const reached = byNumber(run)
    const twice = repeated(taken(run), ({ id }) => id).map((id) => `${id} was answered twice`)
    const renamed = run.entries.flatMap((entry) => {
      const ids = new Set([...(entry.id ? [entry.id] : []), ...(reached.get(entry.number) ?? []).map(({ id }) => id)])
      return ids.size > 1 ? [`${nameOf(entry)}: ${[...ids].join(', ')}`] : []
    })
    return [...twice, ...renamed]
  },
}

const comesToAnEnd: Law<QueueRun> = {
  name: 'every task is done, failed or lost',
  breaches: (run) => [
    ...taken(run)
      .filter(({ outcome }) => !outcome)
      .map((entry) => `${nameOf(entry)} is not there`),
    ...[...run.outcomes].filter(([, { state }]) => !over.includes(state)).map(([id, { state }]) => `${id} is ${state}`),
  ],
}

const truthful: Law<QueueRun> = {
  name: 'what is done was answered with success, and what failed was not',
  breaches: (run) => {
    const reached = byNumber(run)
    return taken(run)
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

/** Its lease began before a kill, and was found after it. */
const lostAtAKill: Law<QueueRun> = {
  name: 'each lost task held a lease at a kill',
  breaches: (run) =>
    lostTasks(run)
      .filter((task) => !run.kills.some((kill) => held(task, kill)))
      .map(({ id, started, ended }) => `${id}: its lease was from ${at(started)} to ${at(ended)}`),
}

/** The queue tells whole seconds, rounded down. */
const held = ({ started, ended }: TaskResult, kill: Kill) =>
  started !== null && ended !== null && started <= kill.over && ended + 1_000 > kill.at

/** An id is its worker's name and a number. */
const workerOf = (id: string) => id.slice(0, id.lastIndexOf('-'))

const at = (time: number | null) => (time === null ? 'never' : new Date(time).toISOString())

/** Tasks and pieces of fractions, whether their enqueuing was answered or not. */
const fewLost: Law<QueueRun> = {
  name: 'no more are lost than daemons × kills',
  breaches: (run) =>
    Object.entries(run.daemons).flatMap(([worker, daemons]) => {
      const outcomes = [...run.outcomes].flatMap(([id, outcome]) => (workerOf(id) === worker ? [outcome] : []))
      const lost = outcomes.reduce((sum, { state, pieces }) => sum + (pieces?.lost ?? Number(state === 'lost')), 0)
      const most = daemons * run.kills.length
      return lost > most ? [`${worker}: ${lost} lost, ${most} at most`] : []
    }),
}

const atLeastOnce: Law<QueueRun> = {
  name: 'with retries every task reaches the target',
  breaches: (run) => {
    const reached = byNumber(run)
    return taken(run)
      .filter(({ retries, number }) => retries > 0 && !reached.has(number))
      .map((entry) => `${nameOf(entry)} never came, and is ${entry.outcome?.state}`)
  },
}

const noMoreThanDaemons: Law<QueueRun> = {
  name: 'a worker never has more requests open than it has daemons; with one daemon the target works on one at a time, also after kills',
  breaches: ({ arrivals, daemons }) =>
    Object.entries(daemons).flatMap(([worker, allowed]) => {
      const spans = arrivals.filter((arrival) => arrival.worker === worker)
      const most = mostAtOnce(allowed === 1 ? spans.map(workOf) : spans)
      return most > allowed ? [`${worker}: ${most} at once with ${allowed} daemons`] : []
    }),
}

const workOf = ({ began, worked }: Arrival) => ({ began, ended: worked })

const noMoreThanPerKey: Law<QueueRun> = {
  name: 'the target never works on more tasks of a key than may run at a time, also after kills',
  breaches: ({ arrivals, keyConcurrency }) =>
    [...Map.groupBy(arrivals, ({ key }) => key)].flatMap(([key, spans]) => {
      const most = key === undefined ? 0 : mostAtOnce(spans.map(workOf))
      return most > keyConcurrency ? [`${key}: ${most} at once, ${keyConcurrency} allowed`] : []
    }),
}

/** One that ends when another begins is over. */
function mostAtOnce(spans: { began: number; ended: number }[]): number {
  const edges = spans.flatMap(({ began, ended }) => [
    { at: began, step: 1 },
    { at: ended, step: -1 },
  ])
  edges.sort((a, b) => a.at - b.at || a.step - b.step)
  let open = 0
  let most = 0
  for (const { step } of edges) {
    open += step
    most = Math.max(most, open)
  }
  return most
}

/** Of two that were enqueued at the same time either may come first. */
const inOrder: Law<QueueRun> = {
  name: 'tasks without a delay reach a worker of one daemon in the order in which they were enqueued',
  breaches: ({ entries, arrivals, daemons }) => {
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
          const isLate = entry.id !== undefined && entry.told < latest
          latest = Math.max(latest, entry.sent)
          return isLate ? [`${nameOf(entry)} came after a later one`] : []
        })
      })
  },
}

/** In each fraction: the pieces that came and those named lost are its range, cut by its gap; none is left out or cut otherwise. */
const wholeRange: Law<QueueRun> = {
  name: "a fraction's pieces cover its range exactly, each lost one is named",
  breaches: (run) => {
    const reached = byNumber(run)
    return taken(run).flatMap((entry) => {
      if (!entry.range || !entry.outcome) return []
      const came = new Set((reached.get(entry.number) ?? []).map(pieceOf))
      const lost = new Set(
        entry.outcome.unhappy?.filter(({ state }) => state === 'lost').map(({ min, max }) => `${min}–${max}`),
      )
      const cut = new Set(cutsOf(entry.range))
      const missing = [...cut].filter((piece) => !came.has(piece) && !lost.has(piece))
      const foreign = [...came, ...lost].filter((piece) => !cut.has(piece))
      return [
        ...missing.map((piece) => `${nameOf(entry)}: ${piece} never came, and is not lost`),
        ...foreign.map((piece) => `${nameOf(entry)}: ${piece} is none of its pieces`),
      ]
    })
  },
}

function cutsOf({ min, max, gap }: { min: number; max: number; gap: number }): string[] {
  const pieces: string[] = []
  for (let from = min; from <= max; from += gap) pieces.push(`${from}–${Math.min(max, from + gap - 1)}`)
  return pieces
}

const countsPieces: Law<QueueRun> = {
  name: 'a fraction counts each of its pieces once, as what it has become',
  breaches: (run) => {
    const reached = byNumber(run)
    return taken(run).flatMap((entry) => {
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
        // One whose success came just before a kill is not known to be done.
        pieces.done <= succeeded
      const counted = `${pieces.done} done, ${pieces.failed} failed, ${pieces.lost} lost of ${pieces.total}`
      return isRight ? [] : [`${nameOf(entry)}: ${counted}; ${succeeded} succeeded, ${total} in all`]
    })
  },
}

export const goesOnByItself: Law<Pick<QueueRun, 'arrivals' | 'daemons' | 'alone'>> = {
  name: 'after a start every worker goes on by itself',
  breaches: ({ arrivals, daemons, alone }) =>
    Object.keys(daemons)
      .filter((name) => !arrivals.some((one) => one.worker === name && one.began > alone.from && one.began < alone.to))
      .map((name) => `${name} had something due, and did nothing for ${(alone.to - alone.from) / 1_000} s`),
}

const answersWell: Law<QueueRun> = {
  name: 'who enqueues is answered with success, or not at all',
  breaches: ({ refusals }) => refusals,
}

export const laws: Law<QueueRun>[] = [
  atMostOnce,
  noAttemptTwice,
  oneId,
  comesToAnEnd,
  truthful,
  lostAtAKill,
  fewLost,
  atLeastOnce,
  noMoreThanDaemons,
  noMoreThanPerKey,
  inOrder,
  wholeRange,
  countsPieces,
  goesOnByItself,
  answersWell,
]
