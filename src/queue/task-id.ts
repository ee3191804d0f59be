/** The parts of a public task id such as `default-12`: the worker, and the number of the row in the worker's backlog. */
interface TaskId {
  worker: string
  number: number
}

export const formatTaskId = ({ worker, number }: TaskId) => `${worker}-${number}`

/** Parses a public task id such as `default-12`; undefined if it is malformed. */
export function parseTaskId(id: string): TaskId | undefined {
  const [, worker, number] = /^(.+)-([1-9]\d{0,14})$/.exec(id) ?? []
  return worker && number ? { worker, number: Number(number) } : undefined
}
