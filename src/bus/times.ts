/** How long a handler may take, in milliseconds as all of these. */
export const handlerTime = 20_000

/** How long a webhook may take: no longer than a handler, so that one lease suits both. */
export const webhookTime = 15_000

/** What the database may take before a call and after it. */
const margin = 5_000

/** How long a document is held for one call: after that who held it is gone. */
export const leaseTime = handlerTime + margin

/** How long a task of the queue may take, which calls a handler and then a webhook. */
export const taskTime = 2 * leaseTime + 2 * margin

/** Until when a document is held that is taken now. */
export const leaseFromNow = () => new Date(Date.now() + leaseTime)

/** Whether a lease is long enough to begin a call: the statement that took it may have taken its time. */
export const isLongEnough = (lease: Date) => lease.getTime() - Date.now() >= handlerTime
