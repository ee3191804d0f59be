/** Each number of daemons that is measured. */
export const widths = [1, 8, 64]

/** The worker that has this many. */
export const workerOf = (daemons: number) => `bench${daemons}`

/** One that runs nothing. */
export const unread = 'unread'
