// Decides by the status of a handler's answer whether a document is delivered, rejected or still unanswered.
import { and, between, eq, isNull, lt, not, notInArray, or, type SQL } from 'drizzle-orm'
import type { HandlerOutcome } from './contract/documents.ts'
import type { DocumentRow } from './documents.ts'
import { maxRejectedAttempts } from './retry-schedule.ts'
import type { Documents } from './schema.ts'

/** Statuses 4xx that a retry may resolve (Request Timeout, Too Early, Too Many Requests), so they are not a final answer. */
const temporaryStatuses = [408, 425, 429]

/** Whether a status is the handler's final answer: 2xx, or a 4xx that another attempt would not change. */
export const isFinal = (status: number): boolean =>
  isSuccess(status) || (status >= 400 && status <= 499 && !temporaryStatuses.includes(status))

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** The state of a document whose handler has given its final answer. */
export const finalState = (status: number) => (isSuccess(status) ? 'delivered' : 'rejected')

/** The handler's last answer, if there is one. */
export const outcomeOf = ({
  status_code,
  body,
}: Pick<DocumentRow, 'status_code' | 'body'>): HandlerOutcome | undefined =>
  status_code === null ? undefined : { status_code, body: body! }

/** SQL condition: the handler has not given its final answer. With `retriesRejected`, a rejection is final after 75 hours only. */
export const unanswered = (
  { status_code, attempts, webhook_attempts, webhook_status }: Documents,
  retriesRejected = false,
): SQL =>
  or(
    isNull(status_code),
    not(final(status_code)),
    // From the first call to the webhook on, the answer stays final, also when a replay calls the webhook again.
    retriesRejected
      ? and(
          ...[between(status_code, 400, 499), lt(attempts, maxRejectedAttempts)],
          ...[eq(webhook_attempts, 0), isNull(webhook_status)],
        )
      : undefined,
  )!

/** Whether an answer is a rejection that is retried. */
export const isRetriedRejection = (status: number, attempts: number, retriesRejected: boolean): boolean =>
  retriesRejected && isFinal(status) && !isSuccess(status) && attempts < maxRejectedAttempts

const final = (status: Documents['status_code']): SQL =>
  or(between(status, 200, 299), and(between(status, 400, 499), notInArray(status, temporaryStatuses)))!
