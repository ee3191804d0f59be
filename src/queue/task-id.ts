/** A task as callers know it: the worker that has it, and its number there. */
interface TaskId {
  worker: string
  number: number
}

export const formatTaskId = ({ worker, number }: TaskId) => `${worker}-${number}`

/** What an id names; nothing where it can name no task. */
export function parseTaskId(id: string): TaskId | undefined {
  const [, worker, number] = /^(.+)-([1-9]\d{0,14})$/.exec(id) ?? []
  return worker && number ? { worker, number: Number(number) } : undefined
}
