import { describe } from 'vitest'
import { access } from '#access/index'
import Access from '../../workers/access/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'

describe.each(onDatabases(Access))('access on $dialect', ({ fetch }) => {
  fuzz(fetch, access, {
    name: ['a', 'prometheus'],
    scopes: [['*'], ['feed:read', '*:metrics'], ['feed'], []],
    bounds: [{}, { recipient: 'ann' }, { unknown: 'a' }],
    requests_per_minute: [1, 0],
    lifetime: [60, 59],
    overlap: [0, 60],
    id: ['0'.repeat(24)],
    limit: [1, 1000],
  })
})
