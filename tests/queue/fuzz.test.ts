import { queue } from '#queue/index'
import { fuzz } from '../support/fuzz.ts'
import { under } from './support.ts'

// A few workers, since one endpoint asks all of them.
fuzz(under({ QUEUE_WORKERS: '' }), queue, {
  worker: ['default'],
  url: ['http://127.0.0.1:1/'],
  // Not together with a schedule, which is half of what may be asked for.
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
