// Timeouts of handlers, webhooks and queue tasks, and the duration of the leases that cover them.

/** Timeout of a call to a handler. The sender of a document in a sync collection waits as long. */
export const handlerTimeoutMs = 20_000

/**
 * Deadline of a call to the handler of a sync collection. After `handlerTimeoutMs` the sender gets 504, and the call continues, so
 * that a repeat gets its answer instead of a second call. The runtime allows 30 s of work after the reply.
 */
export const syncCallDeadlineMs = 45_000

/** Timeout of a call to a webhook. Not longer than a handler's, so that one lease duration suits both. */
export const webhookTimeoutMs = 15_000

/** Time for the database before and after a call. */
const marginMs = 5_000

/** The queue's clock may be ahead of the bus's clock by this time. A document that is due within it counts as due. */
export const skewMs = 5_000

/** Duration of a document's lease for one call. After that time the call has certainly ended, and another delivery may begin. */
export const leaseMs = handlerTimeoutMs + marginMs

/** Timeout of a task of the queue, which calls a handler and then a webhook. */
export const taskTimeoutMs = 2 * leaseMs + 2 * marginMs

/** Duration of the lease of a document in a sync collection. */
export const syncLeaseMs = syncCallDeadlineMs + marginMs

/** End of a lease that begins now. */
export const leaseFromNow = (durationMs = leaseMs) => new Date(Date.now() + durationMs)

/** Whether a call that begins now would end before its lease. The statement that took the lease may have been too slow for that. */
export const isLongEnough = (lease: Date, callMs = handlerTimeoutMs) => lease.getTime() - Date.now() >= callMs
