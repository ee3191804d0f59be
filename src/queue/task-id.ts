/** The parts of a public task id such as `default-12`: the worker, its shard, and the number of the row in the shard's backlog. */
interface TaskId {
  worker: string
  /** The id of a task in a shard after the first one has its number: `default-3_12`. */
  shard: number
  number: number
}

export const formatTaskId = ({ worker, shard = 0, number }: Omit<TaskId, 'shard'> & Partial<TaskId>) =>
  shard === 0 ? `${worker}-${number}` : `${worker}-${shard}_${number}`

/** The public id of an operation on many tasks: the worker, and a UUID. */
export const formatOperationId = ({ worker, name }: { worker: string; name: string }) => `${worker}-op-${name}`

/** Parses the id of an operation; undefined if it is malformed. */
export function parseOperationId(id: string): { worker: string; name: string } | undefined {
  const [, worker, name] = /^(.+)-op-([0-9a-f-]{36})$/.exec(id) ?? []
  return worker && name ? { worker, name } : undefined
}

/** Parses a public task id such as `default-12`; undefined if it is malformed. */
export function parseTaskId(id: string): TaskId | undefined {
  const [, worker, shard = '0', number] = /^(.+)-(?:([1-9]\d?)_)?([1-9]\d{0,14})$/.exec(id) ?? []
  return worker && number ? { worker, shard: Number(shard), number: Number(number) } : undefined
}
