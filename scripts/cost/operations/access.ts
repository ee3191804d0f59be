// Operations on `access` in the cost report.
import { type Costed, many } from './operation.ts'

const scopes = ['feed:read']

export const access: Costed = {
  prepare: ({ ask }) => many(1_000, (n) => ask('POST', '/access/key', { body: { name: `key ${n}`, scopes } })),
  filled: { by: 'POST /key', times: 1_000 },
  operations: [
    { name: 'POST /key', run: ({ ask }, n) => ask('POST', '/access/key', { body: { name: `new key ${n}`, scopes } }) },
    { name: 'GET /keys, 100 of 1000', run: ({ ask }) => ask('GET', '/access/keys?limit=100') },
    { name: 'POST /token', run: ({ ask }) => ask('POST', '/access/token', { body: { scopes } }) },
  ],
}
