/** The numbers of daemons with which the queue is measured. */
export const widths = [1, 8, 64]

/** Name of the queue worker with this number of daemons. */
export const workerOf = (daemons: number) => `bench${daemons}`

/** Name of the queue worker that measures whether a dead key delays the others. */
export const isolated = 'isolated'

/** Settings of that worker: eight daemons, of which a key has at most two. */
export const isolatedSettings = { daemons: 8, per_key: { concurrency: 2 } }

/** Name of a queue worker that runs no tasks. */
export const unread = 'unread'
