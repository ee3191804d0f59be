// Operations of badge whose cost is measured.
import { type Costed, many, maxRuns } from './operation.ts'

const of = (user: string, name: string) => ({ collection: 'cost', user, name })

export const badge: Costed = {
  prepare: async ({ ask }) => {
    await many(1_000, (n) => ask('POST', '/badge/badge', { body: of(`user${n % 20}`, `inbox/mail${n % 7}`) }))
    await many(maxRuns, (n) => ask('POST', '/badge/badge', { body: of(`gone${n}`, 'inbox/mail') }))
  },
  filled: { by: 'POST /badge, of two segments', times: 1_000 + maxRuns },
  operations: [
    {
      name: 'POST /badge, of two segments',
      run: ({ ask }, n) => ask('POST', '/badge/badge', { body: of(`user${n % 20}`, 'inbox/mail1') }),
    },
    {
      name: 'GET /counters, of three names',
      run: ({ ask }, n) =>
        ask('GET', `/badge/counters?collection=cost&user=user${n % 20}&names=_all,inbox,inbox/mail1`),
    },
    {
      name: 'GET /badges, 25 of 50',
      run: ({ ask }, n) => ask('GET', `/badge/badges?collection=cost&user=user${n % 20}&limit=25`),
    },
    {
      name: 'DELETE /badges, the only one',
      run: ({ ask }, n) => ask('DELETE', `/badge/badges?collection=cost&user=gone${n}&name=inbox/mail`),
    },
  ],
}
