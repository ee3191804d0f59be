// Sends random requests to the badge API, and checks that none fails with 500.
import { describe } from 'vitest'
import { badge } from '#badge/index'
import Badge from '../../workers/badge/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'

describe.each(onDatabases(Badge))('badges on $dialect', ({ fetch }) => {
  fuzz(fetch, badge, {
    collection: ['shop'],
    user: ['ann', 'bob'],
    name: ['a', 'a/b', 'a/b/c', '_all'],
    names: ['_all,a', ['a', 'a/b']],
    payload: [{}, { a: 1 }, '{"a":1}'],
    limit: [1, 1000],
    count: [true],
  })
})
