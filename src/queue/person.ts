// Data of persons in the queue: requests of tasks and schedules that mention the person, in the backlog of each worker.
import type { PersonalPlace } from '#core/person/places'
import { allBacklogs } from './backlogs.ts'
import type { Env } from './bindings.ts'
import { formatTaskId } from './task-id.ts'

/** The cursor: the worker, and the last task or schedule that is done. */
type Position<After> = [worker: string, after: After]

/** The backlog at a position, and the one after it. Sorted by name, so that a changed configuration does not disturb the order. */
function backlogsAt<After>(env: Env, cursor: string | undefined, first: After) {
  const backlogs = allBacklogs(env).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const [worker, after]: Position<After> = cursor === undefined ? ['', first] : JSON.parse(cursor)
  const at = backlogs.findIndex(({ name }) => name >= worker)
  const [current, following] = at === -1 ? [] : backlogs.slice(at, at + 2)
  return { current, following, after: current?.name === worker ? after : first }
}

type At = Pick<ReturnType<typeof backlogsAt>, 'current' | 'following'>

function nextOf<After>({ current, following }: At, next: After | undefined, first: After): string | undefined {
  if (next !== undefined) return JSON.stringify([current!.name, next])
  return following && JSON.stringify([following.name, first])
}

/** The schedules, before the tasks that they create. */
const schedules: PersonalPlace<Env> = {
  name: 'schedules',
  columns: { schedules: ['task', 'sealed'] },

  async erase(env, person, cursor) {
    const at = backlogsAt<string>(env, cursor, '')
    if (!at.current) return { erased: 0 }
    const { schedules, next } = await at.current.backlog.visitSchedules(person, at.after, true)
    return { erased: schedules.length, next: nextOf(at, next, '') }
  },

  async read(env, person, cursor) {
    const at = backlogsAt<string>(env, cursor, '')
    if (!at.current) return { rows: [] }
    const worker = at.current.name
    const { schedules, next } = await at.current.backlog.visitSchedules(person, at.after, false)
    return { rows: schedules.map((schedule) => ({ worker, ...schedule })), next: nextOf(at, next, '') }
  },
}

const tasks: PersonalPlace<Env> = {
  name: 'tasks',
  columns: { tasks: ['json', 'body', 'sealed', 'url', 'headers', 'response'], attempts: ['response'] },

  async erase(env, person, cursor) {
    const at = backlogsAt(env, cursor, 0)
    if (!at.current) return { erased: 0 }
    const { tasks, next, isSending } = await at.current.backlog.visitPerson(person, at.after, true)
    // A request that is being sent may write to a component that is erased later.
    if (next === undefined && isSending)
      return { erased: tasks.length, next: JSON.stringify([at.current.name, at.after]), waits: true }
    return { erased: tasks.length, next: nextOf(at, next, 0) }
  },

  async read(env, person, cursor) {
    const at = backlogsAt(env, cursor, 0)
    if (!at.current) return { rows: [] }
    const worker = at.current.name
    const { tasks, next } = await at.current.backlog.visitPerson(person, at.after, false)
    return {
      rows: tasks.map(({ id, ...task }) => ({ id: formatTaskId({ worker, number: id }), ...task })),
      next: nextOf(at, next, 0),
    }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [schedules, tasks]
