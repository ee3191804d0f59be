// Data of persons in the queue: requests of tasks and schedules that mention the person, in the backlogs of each worker.
import type { PersonalPlace } from '#core/person/places'
import { findWorker, listWorkers } from './backlogs.ts'
import type { Env } from './bindings.ts'
import { objectName } from './settings.ts'
import { formatTaskId } from './task-id.ts'

/** The cursor: the worker, its shard, and the last task or schedule that is done. */
type Position<After> = [worker: string, shard: number, after: After]

/** The backlog at a position, and the cursors of this backlog and of the next one. Sorted by name, so that new workers do not disturb the order. */
async function placeAt<After>(env: Env, cursor: string | undefined, first: After) {
  const [name, shard, after] = cursor === undefined ? (['', 0, first] as const) : parsePosition<After>(cursor)
  const current = name === '' ? undefined : await findWorker(env, name, true)
  if (current && shard < current.objects) return placeOf(env, [name, shard, after], first)
  const [next] = await listWorkers(env, name, 1)
  return next && placeOf(env, [next.name, 0, first], first)
}

/** Parses a cursor. One of an earlier version has no shard. */
function parsePosition<After>(cursor: string): Position<After> {
  const position: Position<After> | [string, After] = JSON.parse(cursor)
  return position.length === 2 ? [position[0], 0, position[1]] : position
}

function placeOf<After>(env: Env, [worker, shard, after]: Position<After>, first: After) {
  const at = (position: Position<After>) => JSON.stringify(position)
  return {
    place: { worker, shard },
    backlog: env.BACKLOG.getByName(objectName({ worker, shard })),
    after,
    again: at([worker, shard, after]),
    next: (next: After | undefined) => at(next === undefined ? [worker, shard + 1, first] : [worker, shard, next]),
  }
}

/** The schedules, before the tasks that they create. */
const schedules: PersonalPlace<Env> = {
  name: 'schedules',
  columns: { schedules: ['task', 'sealed', 'url'] },

  async erase(env, person, cursor) {
    const at = await placeAt<string>(env, cursor, '')
    if (!at) return { erased: 0 }
    const { schedules, next } = await at.backlog.visitSchedules(person, at.after, true)
    return { erased: schedules.length, next: at.next(next) }
  },

  async read(env, person, cursor) {
    const at = await placeAt<string>(env, cursor, '')
    if (!at) return { rows: [] }
    const { worker } = at.place
    const { schedules, next } = await at.backlog.visitSchedules(person, at.after, false)
    return { rows: schedules.map((schedule) => ({ worker, ...schedule })), next: at.next(next) }
  },
}

const tasks: PersonalPlace<Env> = {
  name: 'tasks',
  columns: {
    tasks: ['json', 'body', 'sealed', 'url', 'headers', 'response', 'on_success', 'on_failure'],
    attempts: ['response'],
  },

  async erase(env, person, cursor) {
    const at = await placeAt(env, cursor, 0)
    if (!at) return { erased: 0 }
    const { tasks, next, isSending } = await at.backlog.visitPerson(person, at.after, true)
    // A request that is being sent may write to a component that is erased later.
    if (next === undefined && isSending) return { erased: tasks.length, next: at.again, waits: true }
    return { erased: tasks.length, next: at.next(next) }
  },

  async read(env, person, cursor) {
    const at = await placeAt(env, cursor, 0)
    if (!at) return { rows: [] }
    const { tasks, next } = await at.backlog.visitPerson(person, at.after, false)
    return {
      rows: tasks.map(({ id, ...task }) => ({ id: formatTaskId({ ...at.place, number: id }), ...task })),
      next: at.next(next),
    }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [schedules, tasks]
