// What the queue's requests go to: it does as each errand's body says, and records what reaches it.
//
// A span begins when the head of a request has come in, and ends before the queue can know that it has: at the call that
// hands the answer over, or that closes the connection. What the queue holds open is never shorter, so that two spans
// which overlap are two requests at once; and an answer takes long enough now and then that two such would be seen.
// Where a kill breaks a connection, the kernel closes it when the process dies, hence long before the next process can
// send anything. The target does not notice, and works on for most of the task's timeout: a serial worker must not send the
// next request meanwhile.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { jsonOf, type Listening, listen } from '../../lib/server.ts'
import type { Arrival, Manner, TaskOrder } from './record.ts'

export interface TaskTarget extends Listening {
  arrivals: Arrival[]
  /** How many requests are open. */
  open(): number
}

/** Milliseconds from its begin for which the target works on a request whose connection broke; less than the tasks' timeout. */
const brokenWorkMs = 4_500

/** What an errand's body tells the target. */
export type TaskPayload = Pick<TaskOrder, 'number' | 'worker' | 'key'> & { manner: Manner; wait: number; from?: number }

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
    // Broken off before its body was whole: nobody knows whose it was, and that it came is of no consequence.
    const told = (await jsonOf(request).catch(() => undefined)) as (TaskPayload & Range) | undefined
    if (!told) return
    const attempt = Number(request.headers['x-task-attempt'])
    const arrival: Arrival = Object.assign(ending, {
      number: told.number,
      id: String(request.headers['x-task-id']),
      attempt,
      worker: told.worker,
      ...(told.key && { key: told.key }),
      ...(told._gap && { piece: { min: told._min!, max: told._max! } }),
      began,
    })
    arrivals.push(arrival)
    await answer(mannerOf(told), attempt, told.wait, response, end)
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

/** Of a fraction's pieces every seventh is slow; fewer fail or are cut, since no more than 1 000 unhappy ones are named. */
function mannerOf({ manner, from = 0, _min = 0, _gap = 1 }: TaskPayload & Range): Manner {
  if (manner !== 'mixed') return manner
  const place = (_min - from) / _gap
  if (place % 61 === 30) return 'cut'
  if (place % 43 === 20) return 'error'
  return place % 7 === 6 ? 'slowly' : 'at_once'
}

async function answer(
  manner: Manner,
  attempt: number,
  wait: number,
  response: ServerResponse,
  end: (answer: Arrival['answer']) => void,
) {
  if (manner === 'slowly') await pause(wait)
  if (response.destroyed) return
  if (manner === 'error' || (manner === 'recovers' && attempt === 1)) {
    end('error')
    response.writeHead(500).end('no')
  } else if (manner === 'cut') {
    end('cut')
    response.destroy()
  } else if (manner === 'torn') {
    response.writeHead(200, { 'content-length': 1_000 }).write('half')
    await pause(5) // Else the half would not leave before the connection does.
    end('torn')
    response.destroy()
  } else {
    end('success')
    response.end('yes')
  }
}
