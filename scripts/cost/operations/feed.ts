// Operations of feed whose cost is measured.
import { type Costed, many } from './operation.ts'

const collection = 'cost'

const record = (n: number) => ({
  recipient: `user${n % 20}`,
  sender: `user${n % 7}`,
  thread: `thread${n % 5}`,
  title: 'A record',
  text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.',
  payload: { n },
})

export const feed: Costed = {
  prepare: async ({ ask }) => {
    await ask('POST', '/feed/collection', { body: { name: collection } })
    const records = (from: number) => Array.from({ length: 500 }, (_, n) => record(from + n))
    await many(2, (n) => ask('POST', '/feed/records', { body: { collection, records: records(500 * n) } }))
  },
  filled: { by: 'POST /record', times: 1_000 },
  operations: [
    {
      name: 'POST /record',
      run: ({ ask }, n) => ask('POST', '/feed/record', { body: { collection, ...record(n) } }),
    },
    {
      name: 'POST /records, ten',
      run: ({ ask }, n) => {
        const records = Array.from({ length: 10 }, (_, i) => record(n + i))
        return ask('POST', '/feed/records', { body: { collection, records } })
      },
    },
    {
      name: 'GET /records, 25 of 50',
      run: ({ ask }, n) => ask('GET', `/feed/records?collection=${collection}&recipient=user${n % 20}`),
    },
    {
      name: 'GET /records/count, the unread of 50',
      run: ({ ask }, n) =>
        ask('GET', `/feed/records/count?collection=${collection}&recipient=user${n % 20}&is_read=false`),
    },
    {
      name: 'POST /record/read',
      run: ({ ask }, n) => ask('POST', '/feed/record/read', { body: { collection, id: n + 1 } }),
    },
    {
      name: 'POST /records/read, all of 50',
      run: ({ ask }, n) => ask('POST', '/feed/records/read', { body: { collection, recipient: `user${n % 20}` } }),
    },
    {
      name: 'DELETE /record',
      run: ({ ask }, n) => ask('DELETE', `/feed/record?collection=${collection}&id=${n + 101}`),
    },
  ],
}
