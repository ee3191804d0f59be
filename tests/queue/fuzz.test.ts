// Sends random parameters to each operation of the queue, which must reply in its documented form, never with an internal error.
import { queue } from '#queue/index'
import { fuzz } from '../support/fuzz.ts'
import { under } from './support.ts'

// Only the built-in workers: `GET /workers` calls the durable object of each, and the tests configure hundreds.
fuzz(under({ QUEUE_WORKERS: '' }), queue, {
  worker: ['default'],
  url: ['http://127.0.0.1:1/'],
  // `null` leaves the delay out in half of the requests, since it is not allowed together with a schedule.
  delay: [100_000_000, null],
  method: ['GET', 'POST', 'LINK'],
  json: [{}, { a: 1 }, '{"a":1}'],
  headers: [{ 'x-a': 'b' }],
  secret_headers: [{ 'x-a': 'b' }],
  query_string: ['a=1', { a: 1 }],
  retries: [0, 3],
  confidential: [true],
  schedule: ['yearly', null],
  cron: ['0 0 1 1 *', null],
  timezone: ['Europe/Berlin'],
  min: [-5, 1],
  max: [1, 100],
  gap: [1, 7],
  id: ['default-1', 'default-2', 'default-3'],
  name: ['yearly'],
  state: ['waiting', 'done'],
  kind: ['task', 'fraction'],
  limit: [1, 1_000],
  count: [true],
})
