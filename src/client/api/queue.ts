// Types of the operations of queue, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Queue {
  post: {
    /**
     * Create a task or a schedule
     * Stores a task, whose request is sent when the task is due and a daemon is free: now, after `delay`, or at `datetime`. The reply has the id of the task; read its result with `GET /task`. With `schedule` and `cron` the call creates a schedule, or replaces the one of that name, and the reply has the schedule: a task is created at each of its times, unless the previous one still waits. A worker has at most 1000 schedules. `url`, `json` or `body`, headers and limits apply to each attempt. With the header `Idempotency-Key` a repeated call returns the same task for 24 hours.
     */
    '/task': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters */
        key?: string | undefined
        /** Priority, 0 to 9: of the due tasks, those with a higher one start first. Tasks of one key with different priorities do too, unless the worker has `per_key.order`. A low priority is never starved: it is passed over at most 16 times in a row; default `5` */
        priority?: number | undefined
        /** URL to send the request to: http or https, at most 2000 characters. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails the attempt as `redirected` */
        url: string
        /** HTTP method, any but CONNECT, TRACE and TRACK; default `"POST"` */
        method?: string | undefined
        /** Body as a JSON object, at most 1 MB, sent with `Content-Type: application/json`. Also the body of a GET */
        json?: { [name: string]: unknown } | undefined
        /** Request headers by name, at most 16 KB. Values are ASCII. Headers of the connection (such as Host and Content-Length), X-Task-Id, X-Task-Attempt, Webhook-Id, Webhook-Timestamp and Webhook-Signature are not allowed */
        headers?: { [name: string]: string } | undefined
        /** Request headers that are encrypted at rest, absent from every reply, and deleted when the task ends. A task that has them cannot be retried with `POST /task/retry` */
        secret_headers?: { [name: string]: string } | undefined
        /** Query parameters that are appended to the URL: text such as `a=1&b=2`, at most 2000 characters, or an object of names and values */
        query_string?: string | { [name: string]: string | number | boolean } | undefined
        /** Seconds until the task is due, 0 to 315360000 (10 years). Default: due now. Not with `datetime` */
        delay?: number | undefined
        /** Time in UTC at which the task is due; a past time means now. Not with `delay` */
        datetime?: string | undefined
        /** Seconds until the whole response of an attempt must have arrived, 0.1 to 900. Then the attempt fails as `timeout`; default `30` */
        timeout?: number | undefined
        /** Milliseconds that the daemon pauses after the request before its next one, 0 to 3600000; default `0` */
        sleep?: number | undefined
        /** Maximum number of retries after a response other than 2xx or an error, 0 to 1000. With 0, the request is sent at most once; default `0` */
        retries?: number | undefined
        /** Initial retry delay in seconds, 0 to 86400. Doubles after each failure, up to 1 hour or `retry_delay` if that is longer, with up to 50 % jitter. A longer `Retry-After` of the response is obeyed; default `10` */
        retry_delay?: number | undefined
        /** Labels by which the task can be found, at most 8 of 1 to 64 characters each. Default: none */
        labels?: string[] | undefined
        /** URL that gets a POST with the result as JSON when the task is `done`: `{"task": {"id", "worker", "key", "labels", "state", "attempts", "status", "error"}}`. A separate task of the worker sends it, with 10 retries. Default: none */
        on_success?: string | undefined
        /** URL that gets the same JSON when the task is `failed`, `lost` or `canceled`. Default: none */
        on_failure?: string | undefined
        /** Whether the body is encrypted at rest and deleted when the task ends. Such a task cannot be retried with `POST /task/retry`; default `false` */
        confidential?: boolean | undefined
        /** Body as text, at most 1 MB, sent unchanged. Set `content-type` in `headers`. Not with `json` */
        body?: string | undefined
        /** Body as bytes in padded base64, at most 1 MB of bytes. Set `content-type` in `headers`. Not with `json` or `body` */
        body_base64?: string | undefined
        /** Seconds after the due time until which the request may be sent, 1 to 315360000. A task that still waits then fails as `expired`. Default: no limit */
        expires?: number | undefined
        /** For components of this deployment: name of the component that `url` belongs to. Each request has a new service token for it, so that the task contains no credentials. Keys and tokens get 403 `forbidden`. Not with `schedule` */
        service?: string | undefined
        /** Name of the schedule to create or replace. Required with `cron` */
        schedule?: string | undefined
        /** Cron expression of 5 or 6 fields (the first of 6 is seconds). A task is created at each of its times. Required with `schedule`; not with `delay` or `datetime` */
        cron?: string | undefined
        /** Rule for a previous task that has not ended. skip: creates no task. queue: creates one that waits, but never a second one that waits. Default: queue. Only with `schedule` */
        overlap?: 'skip' | 'queue' | undefined
        /** Rule for times that were missed by more than a minute. none: creates no tasks. one: creates one for all of them. all: creates one for each of the last day, even if others wait. Default: one. Only with `schedule` */
        catch_up?: 'none' | 'one' | 'all' | undefined
        /** IANA time zone in which `cron` is evaluated, such as Europe/Berlin; default `"UTC"` */
        timezone?: string | undefined
      }
      reply: {
        /** The created task; absent if a schedule was created */
        task?: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
        }
        /** The created or replaced schedule; absent if a task was created */
        schedule?: {
          /** Name of the schedule */
          name: string
          /** Name of the worker */
          worker: string
          /** Cron expression */
          cron: string
          /** IANA time zone of the cron expression */
          timezone: string
          /** HTTP method of its tasks */
          method: string
          /** URL of its tasks, without the query */
          url: string
          /** Its rule for a previous task that has not ended */
          overlap: 'skip' | 'queue'
          /** Its rule for missed times */
          catch_up: 'none' | 'one' | 'all'
          /** Whether the schedule is paused and creates no tasks */
          is_paused: boolean
          /** When the next task is created; null if the schedule is paused or the expression has no more times */
          next_at: string | null
          /** `next_at` in the time zone of the schedule, such as `2030-01-01T03:30:00+01:00` */
          next_local: string | null
          /** Number of times at which no task was created, since the previous one had not ended */
          skipped: number
          /** The last task of the schedule with its result; null if there was none */
          last_run: {
            /** The task. It is deleted after QUEUE_RETENTION */
            task: {
              /** Id of the task or fraction: the name of the worker and a number */
              id: string
            }
            /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
            state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
            /** When the task was due; UTC */
            due_at: string
            /** When its last request was sent; UTC. null if none was */
            started_at: string | null
            /** When the task ended; UTC. null if it has not */
            ended_at: string | null
            /** HTTP status of the last response; null if there was none */
            status: number | null
            /** Why the last attempt got no response; null if it got one */
            error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          } | null
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'too_many_schedules' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'queue_full' | 'worker_changing' | 'outcome_unknown'
    }
    /**
     * Create a fraction: one request per piece of a range
     * Splits the range from `min` to `max` into pieces of `gap` items and sends one request for each, in order, between the other tasks of the worker. The body of each request is `json` with `_min`, `_max` and `_gap`: the first and the last item of the piece, and the gap. Each piece has its own retries. The fraction is done when all pieces are done, and failed if one failed or was lost; then at most 10 000 failed pieces are stored for `POST /task/retry`. The range is stored as one row, whatever its size.
     */
    '/fraction': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters */
        key?: string | undefined
        /** Priority, 0 to 9: of the due tasks, those with a higher one start first. Tasks of one key with different priorities do too, unless the worker has `per_key.order`. A low priority is never starved: it is passed over at most 16 times in a row; default `5` */
        priority?: number | undefined
        /** URL to send the request to: http or https, at most 2000 characters. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails the attempt as `redirected` */
        url: string
        /** HTTP method, any but CONNECT, TRACE and TRACK; default `"POST"` */
        method?: string | undefined
        /** Body as a JSON object, at most 1 MB, sent with `Content-Type: application/json`. Also the body of a GET */
        json?: { [name: string]: unknown } | undefined
        /** Request headers by name, at most 16 KB. Values are ASCII. Headers of the connection (such as Host and Content-Length), X-Task-Id, X-Task-Attempt, Webhook-Id, Webhook-Timestamp and Webhook-Signature are not allowed */
        headers?: { [name: string]: string } | undefined
        /** Request headers that are encrypted at rest, absent from every reply, and deleted when the task ends. A task that has them cannot be retried with `POST /task/retry` */
        secret_headers?: { [name: string]: string } | undefined
        /** Query parameters that are appended to the URL: text such as `a=1&b=2`, at most 2000 characters, or an object of names and values */
        query_string?: string | { [name: string]: string | number | boolean } | undefined
        /** Seconds until the task is due, 0 to 315360000 (10 years). Default: due now. Not with `datetime` */
        delay?: number | undefined
        /** Time in UTC at which the task is due; a past time means now. Not with `delay` */
        datetime?: string | undefined
        /** Seconds until the whole response of an attempt must have arrived, 0.1 to 900. Then the attempt fails as `timeout`; default `30` */
        timeout?: number | undefined
        /** Milliseconds that the daemon pauses after the request before its next one, 0 to 3600000; default `0` */
        sleep?: number | undefined
        /** Maximum number of retries after a response other than 2xx or an error, 0 to 1000. With 0, the request is sent at most once; default `0` */
        retries?: number | undefined
        /** Initial retry delay in seconds, 0 to 86400. Doubles after each failure, up to 1 hour or `retry_delay` if that is longer, with up to 50 % jitter. A longer `Retry-After` of the response is obeyed; default `10` */
        retry_delay?: number | undefined
        /** Labels by which the task can be found, at most 8 of 1 to 64 characters each. Default: none */
        labels?: string[] | undefined
        /** URL that gets a POST with the result as JSON when the task is `done`: `{"task": {"id", "worker", "key", "labels", "state", "attempts", "status", "error"}}`. A separate task of the worker sends it, with 10 retries. Default: none */
        on_success?: string | undefined
        /** URL that gets the same JSON when the task is `failed`, `lost` or `canceled`. Default: none */
        on_failure?: string | undefined
        /** Whether the body is encrypted at rest and deleted when the task ends. Such a task cannot be retried with `POST /task/retry`; default `false` */
        confidential?: boolean | undefined
        /** First item of the range, -1e15 to 1e15. At most `max` */
        min: number
        /** Last item of the range, -1e15 to 1e15 */
        max: number
        /** Number of items in a piece, 1 to 1e15. The last piece may be smaller */
        gap: number
      }
      reply: {
        /** The created fraction. `GET /task` with its id returns its progress */
        fraction: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'queue_full' | 'worker_changing' | 'outcome_unknown'
    }
    /**
     * Create many tasks
     * Creates up to 1000 tasks of one worker, with the parameters of `POST /task`: all of them, or none. In a worker with `shards`, all tasks of a call must have the same `key`, or none. The reply has their ids in the same order. The body may have 8 MB. With the header `Idempotency-Key` a repeated call returns the same tasks for 24 hours.
     */
    '/tasks': {
      params: {
        /** Name of the worker. Default: `worker` of the tasks, which must then be the same in all of them */
        worker?: string | undefined
        /** 1 to 1000 tasks, with the parameters of `POST /task` except those of schedules */
        tasks: {
          /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
          worker?: string | undefined
          /** Flow key: the tenant, host or collection that the task belongs to. Due tasks of different keys take turns, and a worker may limit how many of one key run at a time. 1 to 255 characters */
          key?: string | undefined
          /** Priority, 0 to 9: of the due tasks, those with a higher one start first. Tasks of one key with different priorities do too, unless the worker has `per_key.order`. A low priority is never starved: it is passed over at most 16 times in a row; default `5` */
          priority?: number | undefined
          /** URL to send the request to: http or https, at most 2000 characters. Up to five redirects are followed; one that would drop the body (301, 302 or 303) fails the attempt as `redirected` */
          url: string
          /** HTTP method, any but CONNECT, TRACE and TRACK; default `"POST"` */
          method?: string | undefined
          /** Body as a JSON object, at most 1 MB, sent with `Content-Type: application/json`. Also the body of a GET */
          json?: { [name: string]: unknown } | undefined
          /** Request headers by name, at most 16 KB. Values are ASCII. Headers of the connection (such as Host and Content-Length), X-Task-Id, X-Task-Attempt, Webhook-Id, Webhook-Timestamp and Webhook-Signature are not allowed */
          headers?: { [name: string]: string } | undefined
          /** Request headers that are encrypted at rest, absent from every reply, and deleted when the task ends. A task that has them cannot be retried with `POST /task/retry` */
          secret_headers?: { [name: string]: string } | undefined
          /** Query parameters that are appended to the URL: text such as `a=1&b=2`, at most 2000 characters, or an object of names and values */
          query_string?: string | { [name: string]: string | number | boolean } | undefined
          /** Seconds until the task is due, 0 to 315360000 (10 years). Default: due now. Not with `datetime` */
          delay?: number | undefined
          /** Time in UTC at which the task is due; a past time means now. Not with `delay` */
          datetime?: string | undefined
          /** Seconds until the whole response of an attempt must have arrived, 0.1 to 900. Then the attempt fails as `timeout`; default `30` */
          timeout?: number | undefined
          /** Milliseconds that the daemon pauses after the request before its next one, 0 to 3600000; default `0` */
          sleep?: number | undefined
          /** Maximum number of retries after a response other than 2xx or an error, 0 to 1000. With 0, the request is sent at most once; default `0` */
          retries?: number | undefined
          /** Initial retry delay in seconds, 0 to 86400. Doubles after each failure, up to 1 hour or `retry_delay` if that is longer, with up to 50 % jitter. A longer `Retry-After` of the response is obeyed; default `10` */
          retry_delay?: number | undefined
          /** Labels by which the task can be found, at most 8 of 1 to 64 characters each. Default: none */
          labels?: string[] | undefined
          /** URL that gets a POST with the result as JSON when the task is `done`: `{"task": {"id", "worker", "key", "labels", "state", "attempts", "status", "error"}}`. A separate task of the worker sends it, with 10 retries. Default: none */
          on_success?: string | undefined
          /** URL that gets the same JSON when the task is `failed`, `lost` or `canceled`. Default: none */
          on_failure?: string | undefined
          /** Whether the body is encrypted at rest and deleted when the task ends. Such a task cannot be retried with `POST /task/retry`; default `false` */
          confidential?: boolean | undefined
          /** Body as text, at most 1 MB, sent unchanged. Set `content-type` in `headers`. Not with `json` */
          body?: string | undefined
          /** Body as bytes in padded base64, at most 1 MB of bytes. Set `content-type` in `headers`. Not with `json` or `body` */
          body_base64?: string | undefined
          /** Seconds after the due time until which the request may be sent, 1 to 315360000. A task that still waits then fails as `expired`. Default: no limit */
          expires?: number | undefined
          /** For components of this deployment: name of the component that `url` belongs to. Each request has a new service token for it, so that the task contains no credentials. Keys and tokens get 403 `forbidden`. Not with `schedule` */
          service?: string | undefined
          /** Rule for a previous task that has not ended. skip: creates no task. queue: creates one that waits, but never a second one that waits. Default: queue. Only with `schedule` */
          overlap?: 'skip' | 'queue' | undefined
          /** Rule for times that were missed by more than a minute. none: creates no tasks. one: creates one for all of them. all: creates one for each of the last day, even if others wait. Default: one. Only with `schedule` */
          catch_up?: 'none' | 'one' | 'all' | undefined
        }[]
      }
      reply: {
        /** The created tasks, in the order of the parameters */
        tasks: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'forbidden' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'queue_full' | 'worker_changing' | 'outcome_unknown'
    }
    /**
     * Retry a failed, lost or canceled task
     * Makes the task due now, with all its retries again and without `expires`. `attempts` is not reset: it counts the requests before the retry too. For a fraction, its stored failed pieces (at most 10 000), its lost pieces and the rest of its range are sent. 409 `task_not_repeatable` if the task has not ended or is done, and if it had `secret_headers` or a `confidential` body, since its secrets were deleted when it ended.
     */
    '/task/retry': {
      params: {
        /** Id of the task or fraction, as its creation returned it */
        id: string
      }
      reply: {
        /** The task or the fraction, which waits again or runs already */
        task: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
          /** Name of the worker */
          worker: string
          /** A single task, or a fraction with its pieces */
          kind: 'task' | 'fraction'
          /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          /** HTTP method */
          method: string
          /** URL of the request, without its query */
          url: string
          /** When the next attempt is due, or the last one was; UTC */
          due_at: string
          /** Time after which the request is not sent; null without `expires` */
          expires_at: string | null
          /** When the task was created; UTC */
          created_at: string
          /** When the last request was sent; null if none was */
          started_at: string | null
          /** When the task ended; null if it has not */
          ended_at: string | null
          /** Number of requests sent so far; for a fraction, number of pieces started */
          attempts: number
          /** Maximum number of retries */
          retries: number
          /** HTTP status of the last response; null if there was none */
          status: number | null
          /** Why the last attempt got no response; null if it got one. unreachable: no connection, so the request was not sent; reported on a local start only. interrupted: the connection broke, so it is unknown whether the request arrived. timeout: no response in time; also unknown. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long: the body of a GET did not fit into the query; not sent. unreadable: QUEUE_SECRET was changed, so the secrets cannot be decrypted; not sent. moved: the URL is not under the address of the component in `service` any more, since the configuration was changed; not sent. lost: the process died during the request. expired: not sent before `expires_at` */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          /** Name of the schedule that created the task; null for other tasks */
          schedule: string | null
          /** Flow key that the task was created with */
          key: string | null
          /** Priority of the task, 0 to 9; 9 is the most urgent */
          priority: number
          /** Labels that the task was created with */
          labels: string[]
          /** URL of the callback of a success, without its query; null if there is none */
          on_success: string | null
          /** URL of the callback of a failure, without its query; null if there is none */
          on_failure: string | null
          /** `X-Request-Id` that the task's requests carry: of the call that created it, or set in its headers */
          request_id: string | null
          /** Range and progress of a fraction; null for a task */
          fraction: {
            /** First item of the range */
            min: number
            /** Last item of the range */
            max: number
            /** Number of items in a piece */
            gap: number
            /** First item of the next piece; null if all pieces have started */
            next: number | null
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Number of pieces that succeeded */
              done: number
              /** Number of pieces that failed */
              failed: number
              /** Number of pieces that were lost */
              lost: number
            }
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'task_not_found' | 'task_not_repeatable' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Retry the tasks that match a filter
     * Makes the failed, lost and canceled tasks of a worker that match due now, as `POST /task/retry` does. Tasks with `secret_headers` or a `confidential` body match, but stay unchanged. The call begins an operation in the background, whose progress `GET /operation` returns; tasks that are created later do not match. An operation continues after a restart. Operations of a worker run one after the other. With `dry_run` the reply is 200 with the number of matching tasks, and nothing is changed.
     */
    '/tasks/retry': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Only tasks in this state. Default: all states that the operation applies to */
        state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled' | undefined
        /** Only tasks with this flow key. Default: all */
        key?: string | undefined
        /** Only tasks with this label. Default: all */
        label?: string | undefined
        /** Only tasks that were created at this time (UTC) or later. Default: no limit */
        from?: string | undefined
        /** Only tasks that were created before this time (UTC). Default: no limit */
        to?: string | undefined
        /** Whether to return the number of matching tasks, and to change none; default `false` */
        dry_run?: boolean | undefined
      }
      reply: {
        /** The operation, which runs in the background; absent with `dry_run` */
        operation?: {
          /** Id of the operation */
          id: string
        }
        /** Number of matching tasks; present with `dry_run` only */
        count?: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'too_many_operations' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Cancel the tasks that match a filter
     * Cancels the waiting and running tasks of a worker that match, as `DELETE /task` does: a request that is being sent ends by itself. The call begins an operation in the background, whose progress `GET /operation` returns; tasks that are created later do not match. An operation continues after a restart. Operations of a worker run one after the other. With `dry_run` the reply is 200 with the number of matching tasks, and nothing is changed.
     */
    '/tasks/cancel': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Only tasks in this state. Default: all states that the operation applies to */
        state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled' | undefined
        /** Only tasks with this flow key. Default: all */
        key?: string | undefined
        /** Only tasks with this label. Default: all */
        label?: string | undefined
        /** Only tasks that were created at this time (UTC) or later. Default: no limit */
        from?: string | undefined
        /** Only tasks that were created before this time (UTC). Default: no limit */
        to?: string | undefined
        /** Whether to return the number of matching tasks, and to change none; default `false` */
        dry_run?: boolean | undefined
      }
      reply: {
        /** The operation, which runs in the background; absent with `dry_run` */
        operation?: {
          /** Id of the operation */
          id: string
        }
        /** Number of matching tasks; present with `dry_run` only */
        count?: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'too_many_operations' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Delete the ended tasks that match a filter
     * Deletes the tasks of a worker that have ended and match, with their attempts. Cancel tasks that wait or run before. The call begins an operation in the background, whose progress `GET /operation` returns; tasks that are created later do not match. An operation continues after a restart. Operations of a worker run one after the other. With `dry_run` the reply is 200 with the number of matching tasks, and nothing is changed.
     */
    '/tasks/delete': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Only tasks in this state. Default: all states that the operation applies to */
        state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled' | undefined
        /** Only tasks with this flow key. Default: all */
        key?: string | undefined
        /** Only tasks with this label. Default: all */
        label?: string | undefined
        /** Only tasks that were created at this time (UTC) or later. Default: no limit */
        from?: string | undefined
        /** Only tasks that were created before this time (UTC). Default: no limit */
        to?: string | undefined
        /** Whether to return the number of matching tasks, and to change none; default `false` */
        dry_run?: boolean | undefined
      }
      reply: {
        /** The operation, which runs in the background; absent with `dry_run` */
        operation?: {
          /** Id of the operation */
          id: string
        }
        /** Number of matching tasks; present with `dry_run` only */
        count?: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'too_many_operations' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Pause a schedule
     * The schedule creates no tasks until `POST /schedule/resume`, also if a call replaces it. Tasks that it has created stay in the queue. Pausing twice has no effect.
     */
    '/schedule/pause': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Name of the schedule: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
      }
      reply: {
        /** The schedule after the call */
        schedule: {
          /** Name of the schedule */
          name: string
          /** Name of the worker */
          worker: string
          /** Cron expression */
          cron: string
          /** IANA time zone of the cron expression */
          timezone: string
          /** HTTP method of its tasks */
          method: string
          /** URL of its tasks, without the query */
          url: string
          /** Its rule for a previous task that has not ended */
          overlap: 'skip' | 'queue'
          /** Its rule for missed times */
          catch_up: 'none' | 'one' | 'all'
          /** Whether the schedule is paused and creates no tasks */
          is_paused: boolean
          /** When the next task is created; null if the schedule is paused or the expression has no more times */
          next_at: string | null
          /** `next_at` in the time zone of the schedule, such as `2030-01-01T03:30:00+01:00` */
          next_local: string | null
          /** Number of times at which no task was created, since the previous one had not ended */
          skipped: number
          /** The last task of the schedule with its result; null if there was none */
          last_run: {
            /** The task. It is deleted after QUEUE_RETENTION */
            task: {
              /** Id of the task or fraction: the name of the worker and a number */
              id: string
            }
            /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
            state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
            /** When the task was due; UTC */
            due_at: string
            /** When its last request was sent; UTC. null if none was */
            started_at: string | null
            /** When the task ended; UTC. null if it has not */
            ended_at: string | null
            /** HTTP status of the last response; null if there was none */
            status: number | null
            /** Why the last attempt got no response; null if it got one */
            error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'schedule_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Resume a paused schedule
     * The schedule creates its next task at its next time. It creates none for times that passed during the pause.
     */
    '/schedule/resume': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Name of the schedule: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
      }
      reply: {
        /** The schedule after the call */
        schedule: {
          /** Name of the schedule */
          name: string
          /** Name of the worker */
          worker: string
          /** Cron expression */
          cron: string
          /** IANA time zone of the cron expression */
          timezone: string
          /** HTTP method of its tasks */
          method: string
          /** URL of its tasks, without the query */
          url: string
          /** Its rule for a previous task that has not ended */
          overlap: 'skip' | 'queue'
          /** Its rule for missed times */
          catch_up: 'none' | 'one' | 'all'
          /** Whether the schedule is paused and creates no tasks */
          is_paused: boolean
          /** When the next task is created; null if the schedule is paused or the expression has no more times */
          next_at: string | null
          /** `next_at` in the time zone of the schedule, such as `2030-01-01T03:30:00+01:00` */
          next_local: string | null
          /** Number of times at which no task was created, since the previous one had not ended */
          skipped: number
          /** The last task of the schedule with its result; null if there was none */
          last_run: {
            /** The task. It is deleted after QUEUE_RETENTION */
            task: {
              /** Id of the task or fraction: the name of the worker and a number */
              id: string
            }
            /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
            state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
            /** When the task was due; UTC */
            due_at: string
            /** When its last request was sent; UTC. null if none was */
            started_at: string | null
            /** When the task ended; UTC. null if it has not */
            ended_at: string | null
            /** HTTP status of the last response; null if there was none */
            status: number | null
            /** Why the last attempt got no response; null if it got one */
            error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'schedule_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Run a schedule now
     * Creates a task of the schedule that is due now, whether or not the schedule is paused or its previous task has ended. The next time of the schedule stays the same.
     */
    '/schedule/run': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Name of the schedule: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
      }
      reply: {
        /** The created task */
        task: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'schedule_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'queue_full' | 'outcome_unknown'
    }
    /**
     * Pause a worker
     * The worker starts no more tasks until `POST /worker/resume`. Requests that are being sent end by themselves, and new tasks are accepted. The pause survives restarts.
     */
    '/worker/pause': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Resume a paused worker
     * The worker starts due tasks again, the longest due first; flow keys take turns. No effect on a worker that is not paused.
     */
    '/worker/resume': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Get a task or a fraction
     * Returns the state, attempts and last response status of a task, and for a fraction also its failed and lost pieces. Ended tasks are deleted after QUEUE_RETENTION (default: a day), then the reply is 404 `task_not_found`.
     */
    '/task': {
      params: {
        /** Id of the task or fraction, as its creation returned it */
        id: string
      }
      reply: {
        /** The task or the fraction */
        task: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
          /** Name of the worker */
          worker: string
          /** A single task, or a fraction with its pieces */
          kind: 'task' | 'fraction'
          /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          /** HTTP method */
          method: string
          /** URL of the request, without its query */
          url: string
          /** When the next attempt is due, or the last one was; UTC */
          due_at: string
          /** Time after which the request is not sent; null without `expires` */
          expires_at: string | null
          /** When the task was created; UTC */
          created_at: string
          /** When the last request was sent; null if none was */
          started_at: string | null
          /** When the task ended; null if it has not */
          ended_at: string | null
          /** Number of requests sent so far; for a fraction, number of pieces started */
          attempts: number
          /** Maximum number of retries */
          retries: number
          /** HTTP status of the last response; null if there was none */
          status: number | null
          /** Why the last attempt got no response; null if it got one. unreachable: no connection, so the request was not sent; reported on a local start only. interrupted: the connection broke, so it is unknown whether the request arrived. timeout: no response in time; also unknown. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long: the body of a GET did not fit into the query; not sent. unreadable: QUEUE_SECRET was changed, so the secrets cannot be decrypted; not sent. moved: the URL is not under the address of the component in `service` any more, since the configuration was changed; not sent. lost: the process died during the request. expired: not sent before `expires_at` */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          /** Name of the schedule that created the task; null for other tasks */
          schedule: string | null
          /** Flow key that the task was created with */
          key: string | null
          /** Priority of the task, 0 to 9; 9 is the most urgent */
          priority: number
          /** Labels that the task was created with */
          labels: string[]
          /** URL of the callback of a success, without its query; null if there is none */
          on_success: string | null
          /** URL of the callback of a failure, without its query; null if there is none */
          on_failure: string | null
          /** `X-Request-Id` that the task's requests carry: of the call that created it, or set in its headers */
          request_id: string | null
          /** Range and progress of a fraction; null for a task */
          fraction: {
            /** First item of the range */
            min: number
            /** Last item of the range */
            max: number
            /** Number of items in a piece */
            gap: number
            /** First item of the next piece; null if all pieces have started */
            next: number | null
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Number of pieces that succeeded */
              done: number
              /** Number of pieces that failed */
              failed: number
              /** Number of pieces that were lost */
              lost: number
            }
          } | null
          /** Failed and lost pieces of a fraction, at most 1000, lost ones first; absent for a task */
          unhappy_pieces?: {
            /** First item of the piece */
            min: number
            /** Last item of the piece */
            max: number
            /** failed: all attempts failed. lost: the process died during the request */
            state: 'failed' | 'lost'
            /** Number of requests sent */
            attempts: number
            /** HTTP status of the last response; null if there was none */
            status: number | null
            /** Why the last attempt got no response, with the values of `error` of a task; null if it got one */
            error: string | null
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'task_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the attempts of a task
     * Returns the last 20 attempts of a task, the oldest first, each with its duration and the response. A running attempt has neither. For a fraction the reply has the last 20 failed attempts of its pieces. Attempts are deleted with their task.
     */
    '/task/attempts': {
      params: {
        /** Id of the task or fraction, as its creation returned it */
        id: string
        /** Exclusive cursor: `next` of the previous page. Default: the oldest attempt; default `0` */
        after?: number | undefined
        /** Maximum number of attempts to return, 1 to 20; default `20` */
        limit?: number | undefined
      }
      reply: {
        /** Attempts in the order of their start */
        attempts: {
          /** Number of the attempt, from 1, as in `X-Task-TaskAttempt` */
          attempt: number
          /** When the request was sent; UTC */
          started_at: string
          /** Milliseconds until the response or the error; null while the request runs, and if the process died meanwhile */
          duration_ms: number | null
          /** HTTP status of the response; null if there was none */
          status: number | null
          /** Why the attempt got no response, with the values of `error` of a task; null if it got one, or still runs */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          /** The headers `content-type`, `retry-after` and `location` (without its query) of the response, as far as it has them; null without a response, and for tasks with `confidential`, `secret_headers` or `service` */
          headers: { [name: string]: string } | null
          /** The first kilobyte of the response as text, with card data and credentials masked; null where `headers` is null */
          body: string | null
          /** The piece of the fraction that was sent; null for a task */
          piece: {
            /** First item of the piece */
            min: number
            /** Last item of the piece */
            max: number
          } | null
        }[]
        /** The cursor `after` of the next page; null if there is none */
        next: number | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'task_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the tasks of a worker
     * Waiting tasks are listed by due time; ended tasks of one state most recently ended first. All other lists (all states, running tasks, fractions, tasks of a schedule) are newest first. A fraction is one entry; its pieces are not listed. Continue a list with `after`: `next` of the previous page.
     */
    '/tasks': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Only tasks in this state. Default: all states */
        state?: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled' | undefined
        /** Only tasks, or only fractions. Default: both */
        kind?: 'task' | 'fraction' | undefined
        /** Only tasks that this schedule created. Default: all */
        schedule?: string | undefined
        /** Only tasks with this flow key. Default: all */
        key?: string | undefined
        /** Only tasks with this label. Default: all */
        label?: string | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of tasks to skip, at most 10000, and 0 for a worker with shards. For more, use `after`; default `0` */
        offset?: number | undefined
        /** Exclusive cursor: `next` of the previous page. Default: the first page */
        after?: string | undefined
      }
      reply: {
        /** Tasks and fractions of the page */
        tasks: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
          /** Name of the worker */
          worker: string
          /** A single task, or a fraction with its pieces */
          kind: 'task' | 'fraction'
          /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          /** HTTP method */
          method: string
          /** URL of the request, without its query */
          url: string
          /** When the next attempt is due, or the last one was; UTC */
          due_at: string
          /** Time after which the request is not sent; null without `expires` */
          expires_at: string | null
          /** When the task was created; UTC */
          created_at: string
          /** When the last request was sent; null if none was */
          started_at: string | null
          /** When the task ended; null if it has not */
          ended_at: string | null
          /** Number of requests sent so far; for a fraction, number of pieces started */
          attempts: number
          /** Maximum number of retries */
          retries: number
          /** HTTP status of the last response; null if there was none */
          status: number | null
          /** Why the last attempt got no response; null if it got one. unreachable: no connection, so the request was not sent; reported on a local start only. interrupted: the connection broke, so it is unknown whether the request arrived. timeout: no response in time; also unknown. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long: the body of a GET did not fit into the query; not sent. unreadable: QUEUE_SECRET was changed, so the secrets cannot be decrypted; not sent. moved: the URL is not under the address of the component in `service` any more, since the configuration was changed; not sent. lost: the process died during the request. expired: not sent before `expires_at` */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          /** Name of the schedule that created the task; null for other tasks */
          schedule: string | null
          /** Flow key that the task was created with */
          key: string | null
          /** Priority of the task, 0 to 9; 9 is the most urgent */
          priority: number
          /** Labels that the task was created with */
          labels: string[]
          /** URL of the callback of a success, without its query; null if there is none */
          on_success: string | null
          /** URL of the callback of a failure, without its query; null if there is none */
          on_failure: string | null
          /** `X-Request-Id` that the task's requests carry: of the call that created it, or set in its headers */
          request_id: string | null
          /** Range and progress of a fraction; null for a task */
          fraction: {
            /** First item of the range */
            min: number
            /** Last item of the range */
            max: number
            /** Number of items in a piece */
            gap: number
            /** First item of the next piece; null if all pieces have started */
            next: number | null
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Number of pieces that succeeded */
              done: number
              /** Number of pieces that failed */
              failed: number
              /** Number of pieces that were lost */
              lost: number
            }
          } | null
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Cursor for `after` of the next page; missing on the last page. A page of a list with `key` or `label`, or of a worker with shards, may have fewer tasks than `limit`, and more may follow */
        next?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the public keys of the signatures
     * Returns the public keys with which receivers verify the requests of tasks, as a JSON Web Key Set (RFC 7517). Empty if QUEUE_SIGNING_KEY is not set.
     */
    '/.well-known/jwks.json': {
      params: None
      reply: Response
      errors: 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the progress of an operation
     * Returns the state of an operation on many tasks, and the number of tasks that it has found and changed. A worker keeps its last 1000 operations.
     */
    '/operation': {
      params: {
        /** Id of the operation, as the call that began it returned it */
        id: string
      }
      reply: {
        /** The operation */
        operation: {
          /** Id of the operation */
          id: string
          /** The change that the operation makes */
          action: 'retry' | 'cancel' | 'delete'
          /** running: in progress, or waiting for earlier operations of its worker. failed: ended by an internal error */
          state: 'running' | 'done' | 'failed'
          /** Number of matching tasks found so far */
          matched: number
          /** Number of tasks changed so far. Less than `matched` if tasks had ended or changed meanwhile, or cannot be retried, since they had secrets */
          done: number
          /** When the operation began; UTC */
          created_at: string
          /** When the operation ended; null if it has not */
          ended_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'operation_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the schedules of a worker
     * Returns all schedules of the worker, sorted by name, each with its request, its last run and its result, and the time of its next task.
     */
    '/schedules': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
      }
      reply: {
        /** Schedules, sorted by name */
        schedules: {
          /** Name of the schedule */
          name: string
          /** Name of the worker */
          worker: string
          /** Cron expression */
          cron: string
          /** IANA time zone of the cron expression */
          timezone: string
          /** HTTP method of its tasks */
          method: string
          /** URL of its tasks, without the query */
          url: string
          /** Its rule for a previous task that has not ended */
          overlap: 'skip' | 'queue'
          /** Its rule for missed times */
          catch_up: 'none' | 'one' | 'all'
          /** Whether the schedule is paused and creates no tasks */
          is_paused: boolean
          /** When the next task is created; null if the schedule is paused or the expression has no more times */
          next_at: string | null
          /** `next_at` in the time zone of the schedule, such as `2030-01-01T03:30:00+01:00` */
          next_local: string | null
          /** Number of times at which no task was created, since the previous one had not ended */
          skipped: number
          /** The last task of the schedule with its result; null if there was none */
          last_run: {
            /** The task. It is deleted after QUEUE_RETENTION */
            task: {
              /** Id of the task or fraction: the name of the worker and a number */
              id: string
            }
            /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
            state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
            /** When the task was due; UTC */
            due_at: string
            /** When its last request was sent; UTC. null if none was */
            started_at: string | null
            /** When the task ended; UTC. null if it has not */
            ended_at: string | null
            /** HTTP status of the last response; null if there was none */
            status: number | null
            /** Why the last attempt got no response; null if it got one */
            error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          } | null
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a worker
     * Returns the settings of a worker, its number of waiting tasks, its rate, and the flow keys that are paused: by a `Retry-After`, a rate limit, or a circuit breaker that repeated failures have opened.
     */
    '/worker': {
      params: {
        /** Name of the worker: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
      }
      reply: {
        /** The worker */
        worker: {
          /** Name of the worker */
          name: string
          /** Number of daemons: requests that the worker sends at a time */
          daemons: number
          /** Limits of each flow key; null if the worker has none */
          per_key: {
            /** Maximum number of tasks of one key that run at a time; null: no limit */
            concurrency: number | null
            /** Rate limit of each key; null: none */
            rate: {
              /** Maximum number of requests that start in a period, 1 to 1000000 */
              limit: number
              /** Length of a period in seconds, 0.1 to 86400 */
              period: number
            } | null
            /** Whether the tasks of a key run strictly one after the other */
            order: boolean
          } | null
          /** Rate limit of the worker, the `rate` of `PUT /worker`; null: none */
          rate_limit: {
            /** Maximum number of requests that start in a period, 1 to 1000000 */
            limit: number
            /** Length of a period in seconds, 0.1 to 86400 */
            period: number
          } | null
          /** What a daemon does after a crash that interrupted its request. strict: waits until the deadline of the request (its start plus its `timeout`). resume: takes the next task at once. Default: strict for one daemon, else resume */
          serial: 'strict' | 'resume'
          /** Number of durable objects that the tasks are spread over */
          shards: number
          /** How long ended tasks are kept */
          retention: {
            /** Seconds for which ended tasks are kept; null: QUEUE_RETENTION */
            seconds: number | null
            /** Maximum number of ended tasks that are kept; null: 5000000 */
            count: number | null
          }
          /** Where the settings come from: built in, from QUEUE_WORKERS, or stored by `PUT /worker` */
          source: 'built_in' | 'variable' | 'stored'
          /** Number of waiting tasks, due or not; pieces that wait for a retry are included */
          depth: number
          /** Number of waiting tasks that are due. Above 100 000 the number may be some seconds old */
          due: number
          /** Number of requests that are being sent */
          running: number
          /** Due time of the oldest task that is due; null if none is */
          oldest_due_at: string | null
          /** Requests that ended per second, averaged over the last minute */
          rate: number
          /** Whether the worker is paused and starts no tasks */
          is_paused: boolean
          /** Flow keys that are paused by a `Retry-After`, a rate limit or an open circuit, at most 100, those that are paused for the longest time first */
          paused_keys: {
            /** Flow key */
            key: string
            /** Time until which no task of the key starts; UTC */
            until: string
            /** Number of consecutive failures of its requests. From the fifth on, its circuit is open: one task at a time probes the target */
            failures: number
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'worker_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the workers
     * Returns the workers, sorted by name: the built-in ones, those of `QUEUE_WORKERS`, and those that `PUT /worker` has created. Each has its settings, its number of waiting tasks and its rate. If `next` is not null, more workers follow: pass it as `after`.
     */
    '/workers': {
      params: {
        /** Exclusive cursor: list the workers after this name. Default: from the first; default `""` */
        after?: string | undefined
        /** Maximum number of workers, 1 to 500; default `500` */
        limit?: number | undefined
      }
      reply: {
        /** Workers of the page, sorted by name */
        workers: {
          /** Name of the worker */
          name: string
          /** Number of daemons: requests that the worker sends at a time */
          daemons: number
          /** Limits of each flow key; null if the worker has none */
          per_key: {
            /** Maximum number of tasks of one key that run at a time; null: no limit */
            concurrency: number | null
            /** Rate limit of each key; null: none */
            rate: {
              /** Maximum number of requests that start in a period, 1 to 1000000 */
              limit: number
              /** Length of a period in seconds, 0.1 to 86400 */
              period: number
            } | null
            /** Whether the tasks of a key run strictly one after the other */
            order: boolean
          } | null
          /** Rate limit of the worker, the `rate` of `PUT /worker`; null: none */
          rate_limit: {
            /** Maximum number of requests that start in a period, 1 to 1000000 */
            limit: number
            /** Length of a period in seconds, 0.1 to 86400 */
            period: number
          } | null
          /** What a daemon does after a crash that interrupted its request. strict: waits until the deadline of the request (its start plus its `timeout`). resume: takes the next task at once. Default: strict for one daemon, else resume */
          serial: 'strict' | 'resume'
          /** Number of durable objects that the tasks are spread over */
          shards: number
          /** How long ended tasks are kept */
          retention: {
            /** Seconds for which ended tasks are kept; null: QUEUE_RETENTION */
            seconds: number | null
            /** Maximum number of ended tasks that are kept; null: 5000000 */
            count: number | null
          }
          /** Where the settings come from: built in, from QUEUE_WORKERS, or stored by `PUT /worker` */
          source: 'built_in' | 'variable' | 'stored'
          /** Number of waiting tasks, due or not; pieces that wait for a retry are included */
          depth: number
          /** Number of waiting tasks that are due. Above 100 000 the number may be some seconds old */
          due: number
          /** Number of requests that are being sent */
          running: number
          /** Due time of the oldest task that is due; null if none is */
          oldest_due_at: string | null
          /** Requests that ended per second, averaged over the last minute */
          rate: number
          /** Whether the worker is paused and starts no tasks */
          is_paused: boolean
        }[]
        /** Cursor of the next page, to be passed as `after`; null on the last page */
        next: string | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Cancel a task or a fraction
     * A waiting task is canceled at once. A request that is being sent is not aborted: it ends by itself and is not retried, and the task is still `running` in the reply. A fraction is canceled at once and starts no further pieces. Canceling twice has no effect; a task that has ended otherwise gets 409 `task_ended`.
     */
    '/task': {
      params: {
        /** Id of the task or fraction, as its creation returned it */
        id: string
      }
      reply: {
        /** The task or the fraction after the call */
        task: {
          /** Id of the task or fraction: the name of the worker and a number */
          id: string
          /** Name of the worker */
          worker: string
          /** A single task, or a fraction with its pieces */
          kind: 'task' | 'fraction'
          /** waiting: due now or later, or to be retried. running: the request is being sent. done: the response was 2xx. failed: all attempts failed. lost: the process died during the request, which must not be repeated. canceled: canceled by a call */
          state: 'waiting' | 'running' | 'done' | 'failed' | 'lost' | 'canceled'
          /** HTTP method */
          method: string
          /** URL of the request, without its query */
          url: string
          /** When the next attempt is due, or the last one was; UTC */
          due_at: string
          /** Time after which the request is not sent; null without `expires` */
          expires_at: string | null
          /** When the task was created; UTC */
          created_at: string
          /** When the last request was sent; null if none was */
          started_at: string | null
          /** When the task ended; null if it has not */
          ended_at: string | null
          /** Number of requests sent so far; for a fraction, number of pieces started */
          attempts: number
          /** Maximum number of retries */
          retries: number
          /** HTTP status of the last response; null if there was none */
          status: number | null
          /** Why the last attempt got no response; null if it got one. unreachable: no connection, so the request was not sent; reported on a local start only. interrupted: the connection broke, so it is unknown whether the request arrived. timeout: no response in time; also unknown. redirected: a 301, 302 or 303 would have dropped the body, or there were more than five redirects. refused: a redirect led to an address that is not allowed. query_too_long: the body of a GET did not fit into the query; not sent. unreadable: QUEUE_SECRET was changed, so the secrets cannot be decrypted; not sent. moved: the URL is not under the address of the component in `service` any more, since the configuration was changed; not sent. lost: the process died during the request. expired: not sent before `expires_at` */
          error: 'unreachable' | 'interrupted' | 'timeout' | 'redirected' | 'refused' | 'query_too_long' | 'unreadable' | 'moved' | 'lost' | 'expired' | null
          /** Name of the schedule that created the task; null for other tasks */
          schedule: string | null
          /** Flow key that the task was created with */
          key: string | null
          /** Priority of the task, 0 to 9; 9 is the most urgent */
          priority: number
          /** Labels that the task was created with */
          labels: string[]
          /** URL of the callback of a success, without its query; null if there is none */
          on_success: string | null
          /** URL of the callback of a failure, without its query; null if there is none */
          on_failure: string | null
          /** `X-Request-Id` that the task's requests carry: of the call that created it, or set in its headers */
          request_id: string | null
          /** Range and progress of a fraction; null for a task */
          fraction: {
            /** First item of the range */
            min: number
            /** Last item of the range */
            max: number
            /** Number of items in a piece */
            gap: number
            /** First item of the next piece; null if all pieces have started */
            next: number | null
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Number of pieces that succeeded */
              done: number
              /** Number of pieces that failed */
              failed: number
              /** Number of pieces that were lost */
              lost: number
            }
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'task_not_found' | 'task_ended' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a schedule
     * No further tasks are created. Tasks that the schedule has created stay in the queue.
     */
    '/schedule': {
      params: {
        /** Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400 */
        worker: string
        /** Name of the schedule: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'schedule_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a worker
     * Deletes a worker that `PUT /worker` has created, with its ended tasks. A worker that is built in or in `QUEUE_WORKERS` gets its preset settings again, and keeps its tasks. 409 `worker_not_empty` if tasks wait or run or there is a schedule, unless `force` is true: then they are deleted too, and running requests are aborted.
     */
    '/worker': {
      params: {
        /** Name of the worker: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
        /** Whether to delete waiting tasks and schedules too, and to abort running requests. Default: false; default `false` */
        force?: boolean | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'worker_not_found' | 'worker_built_in' | 'worker_not_empty' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  put: {
    /**
     * Create or configure a worker
     * Stores the settings of a worker, and creates the worker if it does not exist. Replaces all settings: a parameter that is left out gets its default. The settings win over `QUEUE_WORKERS` and over those of a built-in worker. They apply at once, and running requests are not interrupted. `shards` can be changed only while the worker is empty: no task waits or runs, and there is no schedule; else the reply is 409 `worker_not_empty`.
     */
    '/worker': {
      params: {
        /** Name of the worker: 1 to 64 letters, digits, `_`, `.` and `-` */
        name: string
        /** Number of daemons, the requests that the worker sends at a time, 1 to 1000 */
        daemons: number
        /** Limits of each flow key. Default: none */
        per_key?: {
          /** Maximum number of tasks of one flow key that run at a time, 1 to 100. Default: no limit */
          concurrency?: number | undefined
          /** Rate limit: at most `limit` requests start per `period` seconds. A period begins with the first request after the previous period. Default: no limit */
          rate?: {
            /** Maximum number of requests that start in a period, 1 to 1000000 */
            limit: number
            /** Length of a period in seconds, 0.1 to 86400 */
            period: number
          } | undefined
          /** Whether the tasks of a key run strictly one after the other, in the order of their due times: the next one starts when the previous one has ended, with all its retries; default `false` */
          order?: boolean | undefined
        } | undefined
        /** Rate limit: at most `limit` requests start per `period` seconds. A period begins with the first request after the previous period. Default: no limit */
        rate?: {
          /** Maximum number of requests that start in a period, 1 to 1000000 */
          limit: number
          /** Length of a period in seconds, 0.1 to 86400 */
          period: number
        } | undefined
        /** What a daemon does after a crash that interrupted its request. strict: waits until the deadline of the request (its start plus its `timeout`). resume: takes the next task at once. Default: strict for one daemon, else resume */
        serial?: 'strict' | 'resume' | undefined
        /** Number of durable objects over which the tasks are spread by a hash of their key, 1 to 64. The daemons, the rate and the retention count are divided between them. Can be changed only while no task waits or runs and there is no schedule; default `1` */
        shards?: number | undefined
        /** How long ended tasks are kept. The oldest tasks that are done are deleted first */
        retention?: {
          /** Seconds for which ended tasks are kept, 1 to 999999999. Default: QUEUE_RETENTION */
          seconds?: number | undefined
          /** Maximum number of ended tasks that are kept, 0 to 5000000. Default: 5000000 */
          count?: number | undefined
        } | undefined
      }
      reply: {
        /** The worker with its settings */
        worker: {
          /** Name of the worker */
          name: string
          /** Number of daemons: requests that the worker sends at a time */
          daemons: number
          /** Limits of each flow key; null if the worker has none */
          per_key: {
            /** Maximum number of tasks of one key that run at a time; null: no limit */
            concurrency: number | null
            /** Rate limit of each key; null: none */
            rate: {
              /** Maximum number of requests that start in a period, 1 to 1000000 */
              limit: number
              /** Length of a period in seconds, 0.1 to 86400 */
              period: number
            } | null
            /** Whether the tasks of a key run strictly one after the other */
            order: boolean
          } | null
          /** Rate limit of the worker, the `rate` of `PUT /worker`; null: none */
          rate_limit: {
            /** Maximum number of requests that start in a period, 1 to 1000000 */
            limit: number
            /** Length of a period in seconds, 0.1 to 86400 */
            period: number
          } | null
          /** What a daemon does after a crash that interrupted its request. strict: waits until the deadline of the request (its start plus its `timeout`). resume: takes the next task at once. Default: strict for one daemon, else resume */
          serial: 'strict' | 'resume'
          /** Number of durable objects that the tasks are spread over */
          shards: number
          /** How long ended tasks are kept */
          retention: {
            /** Seconds for which ended tasks are kept; null: QUEUE_RETENTION */
            seconds: number | null
            /** Maximum number of ended tasks that are kept; null: 5000000 */
            count: number | null
          }
          /** Where the settings come from: built in, from QUEUE_WORKERS, or stored by `PUT /worker` */
          source: 'built_in' | 'variable' | 'stored'
          /** Number of waiting tasks, due or not; pieces that wait for a retry are included */
          depth: number
          /** Number of waiting tasks that are due. Above 100 000 the number may be some seconds old */
          due: number
          /** Number of requests that are being sent */
          running: number
          /** Due time of the oldest task that is due; null if none is */
          oldest_due_at: string | null
          /** Requests that ended per second, averaged over the last minute */
          rate: number
          /** Whether the worker is paused and starts no tasks */
          is_paused: boolean
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'worker_not_empty' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
