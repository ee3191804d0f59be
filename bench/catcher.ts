// Benchmark of the catcher: how fast it records requests.
import type { BenchOperation } from './operation.ts'

export const operations: BenchOperation[] = [
  {
    name: 'a capture, one space',
    request: (n) => ({ method: 'POST', path: `/hook/${n}?a=1`, body: { n, text: 'Lorem ipsum dolor sit amet' } }),
    floor: 'object',
    goal: { rate: 1_500 },
  },
  {
    name: 'a capture, 16 spaces',
    request: (n) => ({ method: 'POST', path: `/hook/${n}`, body: { n }, headers: { 'x-catcher-space': `s${n % 16}` } }),
    floor: 'object',
  },
  { name: 'GET /_last_request_', request: () => ({ method: 'GET', path: '/_last_request_' }), floor: 'object' },
]
