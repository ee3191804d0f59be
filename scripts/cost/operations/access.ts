import { type Costed, many } from './operation.ts'

export const access: Costed = {
  prepare: ({ ask }) => many(1_000, (n) => ask('POST', '/access/note', { body: { text: `Note ${n}` } })),
  filled: { by: 'POST /note', times: 1_000 },
  operations: [
    { name: 'POST /note', run: ({ ask }, n) => ask('POST', '/access/note', { body: { text: `New note ${n}` } }) },
    { name: 'GET /notes, 100 of 1000', run: ({ ask }) => ask('GET', '/access/notes?limit=100') },
    { name: 'DELETE /note', run: ({ ask }, n) => ask('DELETE', `/access/note?id=${n + 1}`) },
  ],
}
