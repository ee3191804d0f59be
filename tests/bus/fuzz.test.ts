import { beforeAll, describe } from 'vitest'
import { bus } from '#bus/index'
import { fuzz } from '../support/fuzz.ts'
import { buses, createCollectionAndUser, fresh, target } from './support.ts'

describe.each(buses())('the bus on $dialect', (tested) => {
  beforeAll(async () => {
    await createCollectionAndUser(tested, 'storage')
  })

  fuzz(tested.as(tested.env.BOX_ADMIN_SECRET!), bus, {
    collection: ['system', 'a', 'b', 1, 2, '1'],
    name: ['a', 'b', 'admin', 'nobody'],
    type: ['storage', 'sync', 'async'],
    handler: [target('/echo')],
    webhook: [target('/echo')],
    client: [1, 2],
    level: ['read', 'write'],
    event: ['e'],
    uuid: [crypto.randomUUID(), crypto.randomUUID()],
    data: [{}, null, [1]],
    id: [1, 2, '3', 999],
    document: [1],
    limit: [1, 1000],
    secret: [fresh('a-secret-for-fuzzing-')],
  })

  fuzz(tested.fetch, bus, {}, 5)
})
