// Stand-in for the server that tasks call in a chaos run of the queue. It answers as each task's body says, and records
// the requests. A request's span begins when its head has arrived, and ends at the call that writes the reply or closes
// the connection, just before the queue can see its end. The queue's own span is never shorter, so two overlapping
// spans are two concurrent requests. Some replies are slow, so that concurrent requests do overlap. If a kill breaks a
// connection, the target simulates a server that does not notice: it works on for most of the task's timeout, and a
// serial worker must not send its next request in that time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { jsonOf, type Listening, listen } from '../../lib/server.ts'
import type { Arrival, Behavior, TaskOrder } from './record.ts'

export interface TaskTarget extends Listening {
  arrivals: Arrival[]
  /** Number of requests in progress. */
  open(): number
}

/** Time that the target keeps working on a request whose connection broke. Less than the timeout of the tasks. */
const brokenWorkMs = 4_500

/** The JSON body of a task's request, which tells the target how to answer. */
export type TaskPayload = Pick<TaskOrder, 'number' | 'worker' | 'key'> & {
  behavior: Behavior
  wait: number
  from?: number
}

export async function startTarget(): Promise<TaskTarget> {
  const arrivals: Arrival[] = []
  let open = 0

  async function take(request: IncomingMessage, response: ServerResponse) {
    const began = now()
    open++
    const ending = { ended: 0, worked: 0, answer: 'none' as Arrival['answer'] }
    const end = (answer: Arrival['answer']) => {
      if (ending.ended > 0) return
      open--
      const ended = now()
      Object.assign(ending, {
        ended,
        answer,
        worked: answer === 'none' ? Math.max(ended, began + brokenWorkMs) : ended,
      })
    }
    response.once('close', () => end('none'))
    // A request that was interrupted before its body was complete is not recorded: its task is unknown, and it has no
    // effect.
    const payload = (await jsonOf(request).catch(() => undefined)) as (TaskPayload & Range) | undefined
    if (!payload) return
    const attempt = Number(request.headers['x-task-attempt'])
    const arrival: Arrival = Object.assign(ending, {
      number: payload.number,
      id: String(request.headers['x-task-id']),
      attempt,
      worker: payload.worker,
      ...(payload.key && { key: payload.key }),
      ...(payload._gap && { piece: { min: payload._min!, max: payload._max! } }),
      began,
    })
    arrivals.push(arrival)
    await answer(behaviorOf(payload), attempt, payload.wait, response, end)
  }

  const server = await listen((request, response) => void take(request, response))
  return { ...server, arrivals, open: () => open }
}

interface Range {
  _min?: number
  _max?: number
  _gap?: number
}

const now = () => performance.timeOrigin + performance.now()

/**
 * The behavior of a request. Every seventh piece of a fraction is slow; fewer fail or are cut, because the API lists at
 * most 1,000 failed or lost pieces.
 */
function behaviorOf({ behavior, from = 0, _min = 0, _gap = 1 }: TaskPayload & Range): Behavior {
  if (behavior !== 'mixed') return behavior
  const place = (_min - from) / _gap
  if (place % 61 === 30) return 'cut'
  if (place % 43 === 20) return 'error'
  return place % 7 === 6 ? 'slowly' : 'at_once'
}

async function answer(
  behavior: Behavior,
  attempt: number,
  wait: number,
  response: ServerResponse,
  end: (answer: Arrival['answer']) => void,
) {
  if (behavior === 'slowly') await pause(wait)
  if (response.destroyed) return
  if (behavior === 'error' || (behavior === 'recovers' && attempt === 1)) {
    end('error')
    response.writeHead(500).end('no')
  } else if (behavior === 'cut') {
    end('cut')
    response.destroy()
  } else if (behavior === 'torn') {
    response.writeHead(200, { 'content-length': 1_000 }).write('half')
    await pause(5) // Lets the first half leave before the connection closes.
    end('torn')
    response.destroy()
  } else {
    end('success')
    response.end('yes')
  }
}
