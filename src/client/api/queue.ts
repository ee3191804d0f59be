// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Queue {
  post: {
    /** Make a request, now or later, once or on a schedule */
    '/task': {
      params: {
        /** The worker that makes the request */
        worker: string
        /** Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters */
        key?: string | undefined
        /** http or https. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails as `redirected` */
        url: string
        /** `"POST"` unless given */
        method?: string | undefined
        /** Sent as the JSON body, with GET too */
        json?: { [name: string]: unknown } | undefined
        headers?: { [name: string]: string } | undefined
        /** Encrypted at rest, in no listing, gone when the task ends */
        secret_headers?: { [name: string]: string } | undefined
        /** Appended to the URL: text, or an object of its parameters */
        query_string?: string | { [name: string]: string | number | boolean } | undefined
        /** Seconds from now */
        delay?: number | undefined
        /** Not before this time; one in the past is now. Without delay */
        datetime?: string | undefined
        /** Seconds until the end of the answer; `30` unless given */
        timeout?: number | undefined
        /** Milliseconds that the daemon pauses after it; `0` unless given */
        sleep?: number | undefined
        /** How often the request is made again while it is not answered with 2xx; with none it is made at most once; `0` unless given */
        retries?: number | undefined
        /** Seconds before the first repeat, twice as long before each next one up to an hour, up to half of it less at random; `10` unless given */
        retry_delay?: number | undefined
        /** The body is encrypted at rest, in no listing, and deleted when the task ends; `false` unless given */
        confidential?: boolean | undefined
        /** Sent as it is, in place of json */
        body?: string | undefined
        /** Seconds from when it is due after which its request is not made any more: it has failed then, as `expired` */
        expires?: number | undefined
        /** With cron: the name of the schedule, which is set or replaced */
        schedule?: string | undefined
        /** The task is made anew at each of these times, 5 or 6 fields; with schedule */
        cron?: string | undefined
        /** IANA name of the time zone that cron is read in; `"UTC"` unless given */
        timezone?: string | undefined
      }
      reply: {
        task?: {
          id: string
        }
        schedule?: {
          name: string
          worker: string
          cron: string
          timezone: string
          /** None where the times are over */
          next_at: string | null
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'too_many_schedules' | 'payload_too_large' | 'internal_error' | 'not_configured' | 'queue_full' | 'outcome_unknown'
    }
    /**
     * Make one request for each piece of a range
     * The body of each request is json with _min, _max and _gap: the first and last item of the piece, and the gap.
     */
    '/fraction': {
      params: {
        /** The worker that makes the request */
        worker: string
        /** Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters */
        key?: string | undefined
        /** http or https. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails as `redirected` */
        url: string
        /** `"POST"` unless given */
        method?: string | undefined
        /** Sent as the JSON body, with GET too */
        json?: { [name: string]: unknown } | undefined
        headers?: { [name: string]: string } | undefined
        /** Encrypted at rest, in no listing, gone when the task ends */
        secret_headers?: { [name: string]: string } | undefined
        /** Appended to the URL: text, or an object of its parameters */
        query_string?: string | { [name: string]: string | number | boolean } | undefined
        /** Seconds from now */
        delay?: number | undefined
        /** Not before this time; one in the past is now. Without delay */
        datetime?: string | undefined
        /** Seconds until the end of the answer; `30` unless given */
        timeout?: number | undefined
        /** Milliseconds that the daemon pauses after it; `0` unless given */
        sleep?: number | undefined
        /** How often the request is made again while it is not answered with 2xx; with none it is made at most once; `0` unless given */
        retries?: number | undefined
        /** Seconds before the first repeat, twice as long before each next one up to an hour, up to half of it less at random; `10` unless given */
        retry_delay?: number | undefined
        /** The body is encrypted at rest, in no listing, and deleted when the task ends; `false` unless given */
        confidential?: boolean | undefined
        /** The first item */
        min: number
        /** The last item */
        max: number
        /** How many items one piece has */
        gap: number
      }
      reply: {
        fraction: {
          id: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'not_configured' | 'queue_full' | 'outcome_unknown'
    }
    /**
     * Put a task that failed, was lost or was canceled in line again
     * Of a fraction the pieces that failed or were lost, and what is left of its range. 409 for what had secrets.
     */
    '/task/retry': {
      params: {
        id: string
      }
      reply: {
        task: {
          id: string
          worker: string
          kind: 'task' | 'fraction'
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          method: string
          /** Without its query */
          url: string
          /** UTC */
          due_at: string
          /** When its request is not made any more */
          expires_at: string | null
          /** UTC */
          created_at: string
          /** When the last request was made */
          started_at: string | null
          ended_at: string | null
          /** Requests made so far; of a fraction, pieces taken */
          attempts: number
          retries: number
          /** Of the last answer */
          status: number | null
          /** Why there was no last answer. unreachable: no connection, the request was not sent; only reported on a local start. interrupted: the connection broke off, so whether the request arrived is unknown. timeout: no answer in time, unknown too. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long, unreadable: not sent. lost: the queue was cut off meanwhile. expired: not sent in time */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'lost' | 'expired' | null
          schedule: string | null
          /** The flow key that the task was created with */
          key: string | null
          /** The `X-Request-Id` of the request that it came with */
          request_id: string | null
          fraction: {
            min: number
            max: number
            gap: number
            /** Where the next piece begins */
            next: number | null
            pieces: {
              total: number
              done: number
              failed: number
              lost: number
            }
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'task_not_found' | 'task_not_repeatable' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Let a worker take no more tasks */
    '/worker/pause': {
      params: {
        worker: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Let a worker go on */
    '/worker/resume': {
      params: {
        worker: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** Read a task or a fraction */
    '/task': {
      params: {
        id: string
      }
      reply: {
        task: {
          id: string
          worker: string
          kind: 'task' | 'fraction'
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          method: string
          /** Without its query */
          url: string
          /** UTC */
          due_at: string
          /** When its request is not made any more */
          expires_at: string | null
          /** UTC */
          created_at: string
          /** When the last request was made */
          started_at: string | null
          ended_at: string | null
          /** Requests made so far; of a fraction, pieces taken */
          attempts: number
          retries: number
          /** Of the last answer */
          status: number | null
          /** Why there was no last answer. unreachable: no connection, the request was not sent; only reported on a local start. interrupted: the connection broke off, so whether the request arrived is unknown. timeout: no answer in time, unknown too. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long, unreadable: not sent. lost: the queue was cut off meanwhile. expired: not sent in time */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'lost' | 'expired' | null
          schedule: string | null
          /** The flow key that the task was created with */
          key: string | null
          /** The `X-Request-Id` of the request that it came with */
          request_id: string | null
          fraction: {
            min: number
            max: number
            gap: number
            /** Where the next piece begins */
            next: number | null
            pieces: {
              total: number
              done: number
              failed: number
              lost: number
            }
          } | null
          /** Of a fraction: the pieces that failed or were lost, 1 000 at most */
          unhappy_pieces?: {
            min: number
            max: number
            state: 'failed' | 'lost'
            attempts: number
            status: number | null
            error: string | null
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'task_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List the tasks of a worker
     * Of a state: those that wait in the order of the line, those that have ended the last first. All others, and those of a schedule and fractions in any state, the newest first.
     */
    '/tasks': {
      params: {
        worker: string
        state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled' | undefined
        kind?: 'task' | 'fraction' | undefined
        schedule?: string | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        tasks: {
          id: string
          worker: string
          kind: 'task' | 'fraction'
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          method: string
          /** Without its query */
          url: string
          /** UTC */
          due_at: string
          /** When its request is not made any more */
          expires_at: string | null
          /** UTC */
          created_at: string
          /** When the last request was made */
          started_at: string | null
          ended_at: string | null
          /** Requests made so far; of a fraction, pieces taken */
          attempts: number
          retries: number
          /** Of the last answer */
          status: number | null
          /** Why there was no last answer. unreachable: no connection, the request was not sent; only reported on a local start. interrupted: the connection broke off, so whether the request arrived is unknown. timeout: no answer in time, unknown too. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long, unreadable: not sent. lost: the queue was cut off meanwhile. expired: not sent in time */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'lost' | 'expired' | null
          schedule: string | null
          /** The flow key that the task was created with */
          key: string | null
          /** The `X-Request-Id` of the request that it came with */
          request_id: string | null
          fraction: {
            min: number
            max: number
            gap: number
            /** Where the next piece begins */
            next: number | null
            pieces: {
              total: number
              done: number
              failed: number
              lost: number
            }
          } | null
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** See how the workers are doing */
    '/workers': {
      params: None
      reply: {
        workers: {
          name: string
          daemons: number
          /** The limits of each flow key; null if the worker has none */
          per_key: {
            /** Tasks of one flow key that run at a time */
            concurrency: number
          } | null
          /** Tasks that wait, due or not */
          depth: number
          /** Those of them that are due; of more than 100 000, as they were some seconds ago */
          due: number
          /** Requests under way */
          running: number
          oldest_due_at: string | null
          /** Requests ended each second, over the last minute */
          rate: number
          is_paused: boolean
        }[]
      }
      errors: 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the schedules of a worker */
    '/schedules': {
      params: {
        worker: string
      }
      reply: {
        schedules: {
          name: string
          worker: string
          cron: string
          timezone: string
          /** None where the times are over */
          next_at: string | null
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Cancel a task or a fraction
     * A request that is under way ends by itself and is not repeated; a fraction has no further piece. 409 for what has ended.
     */
    '/task': {
      params: {
        id: string
      }
      reply: {
        task: {
          id: string
          worker: string
          kind: 'task' | 'fraction'
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          method: string
          /** Without its query */
          url: string
          /** UTC */
          due_at: string
          /** When its request is not made any more */
          expires_at: string | null
          /** UTC */
          created_at: string
          /** When the last request was made */
          started_at: string | null
          ended_at: string | null
          /** Requests made so far; of a fraction, pieces taken */
          attempts: number
          retries: number
          /** Of the last answer */
          status: number | null
          /** Why there was no last answer. unreachable: no connection, the request was not sent; only reported on a local start. interrupted: the connection broke off, so whether the request arrived is unknown. timeout: no answer in time, unknown too. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long, unreadable: not sent. lost: the queue was cut off meanwhile. expired: not sent in time */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'lost' | 'expired' | null
          schedule: string | null
          /** The flow key that the task was created with */
          key: string | null
          /** The `X-Request-Id` of the request that it came with */
          request_id: string | null
          fraction: {
            min: number
            max: number
            gap: number
            /** Where the next piece begins */
            next: number | null
            pieces: {
              total: number
              done: number
              failed: number
              lost: number
            }
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'task_not_found' | 'task_ended' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Remove a schedule; tasks that it has made stay */
    '/schedule': {
      params: {
        worker: string
        name: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'schedule_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
