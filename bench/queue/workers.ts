/** The measured numbers of daemons. */
export const widths = [1, 8, 64]

/** The worker with this number of daemons. */
export const workerOf = (daemons: number) => `bench${daemons}`

/** A worker that runs no tasks. */
export const unread = 'unread'
