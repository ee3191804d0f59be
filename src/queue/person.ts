// Data of persons in the queue: payloads of tasks that mention the person, in the backlog of each worker.
import type { PersonalPlace } from '#core/person/places'
import { allBacklogs } from './backlogs.ts'
import type { Env } from './bindings.ts'
import { formatTaskId } from './task-id.ts'

/** The cursor: the worker, and the number of the last task that is done. */
type Position = [worker: string, task: number]

/** The backlog at a position, and the one after it. Sorted by name, so that a changed configuration does not disturb the order. */
function backlogsAt(env: Env, cursor: string | undefined) {
  const backlogs = allBacklogs(env).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const [worker, after]: Position = cursor === undefined ? ['', 0] : JSON.parse(cursor)
  const at = backlogs.findIndex(({ name }) => name >= worker)
  const [current, following] = at === -1 ? [] : backlogs.slice(at, at + 2)
  return { current, following, after: current?.name === worker ? after : 0 }
}

type At = ReturnType<typeof backlogsAt>

const nextOf = ({ current, following }: At, next: number | undefined): string | undefined => {
  if (next !== undefined) return JSON.stringify([current!.name, next])
  return following && JSON.stringify([following.name, 0])
}

const tasks: PersonalPlace<Env> = {
  name: 'tasks',
  columns: { tasks: ['json', 'body', 'sealed', 'url', 'response'], attempts: ['response'] },

  async erase(env, person, cursor) {
    const at = backlogsAt(env, cursor)
    if (!at.current) return { erased: 0 }
    const { tasks, next } = await at.current.backlog.visitPerson(person, at.after, true)
    return { erased: tasks.length, next: nextOf(at, next) }
  },

  async read(env, person, cursor) {
    const at = backlogsAt(env, cursor)
    if (!at.current) return { rows: [] }
    const worker = at.current.name
    const { tasks, next } = await at.current.backlog.visitPerson(person, at.after, false)
    return {
      rows: tasks.map(({ id, ...task }) => ({ id: formatTaskId({ worker, number: id }), ...task })),
      next: nextOf(at, next),
    }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [tasks]
