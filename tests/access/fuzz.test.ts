import { describe } from 'vitest'
import { access } from '#access/index'
import Access from '../../workers/access/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'

describe.each(onDatabases(Access))('access on $dialect', ({ fetch }) => {
  fuzz(fetch, access, { text: ['a', 'Buy milk'], id: [1, 2], limit: [1, 1000], offset: [0, 1] })
})
