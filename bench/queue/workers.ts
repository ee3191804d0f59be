/** The numbers of daemons with which the queue is measured. */
export const widths = [1, 8, 64]

/** Name of the queue worker with this number of daemons. */
export const workerOf = (daemons: number) => `bench${daemons}`

/** Name of a queue worker that runs no tasks. */
export const unread = 'unread'
