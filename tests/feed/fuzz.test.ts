// Sends random requests to the feed's API: each must get a valid reply of the API, never a 500.
import { beforeAll, describe } from 'vitest'
import { feed } from '#feed/index'
import Feed from '../../workers/feed/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'
import { ask } from '../support/requests.ts'

describe.each(onDatabases(Feed))('the feed on $dialect', ({ fetch }) => {
  beforeAll(async () => {
    await ask('POST', '/collection', { name: 'news' }, fetch)
    await ask('POST', '/record', { collection: 'news', recipient: 'ann' }, fetch)
  })

  fuzz(fetch, feed, {
    collection: ['news', 'nothing'],
    name: ['news', 'sport'],
    recipient: ['ann'],
    user: ['ann'],
    id: [1, 2, '1'],
    where: [{ recipient: 'ann' }, { user: 'ann' }, { thread: '' }],
    set: [{ user: 'bob' }, { title: 'x' }, { payload: {} }, { recipient: "'" }],
    records: [[{ recipient: 'ann' }], [{ recipient: 'ann', payload: [{}] }, {}]],
    order: ['asc', 'desc'],
    created_at: ['2026-01-01'],
    limit: [1, 1000],
  })
})
