// Operations of signature and pdf whose cost is measured.
import { readFileSync } from 'node:fs'
import { has } from '../../lib/programs.ts'
import { type Costed, many, maxRuns } from './operation.ts'

/** A signature in CMS, in base64 without line breaks. */
const cms = readFileSync('docs/samples/signed.txt', 'utf8').replaceAll(/\s/g, '')

const record = (thread: string) => ({ document: 'contract', thread, tags: ['signed', 'sales'], cms })

const of = (thread: string) => `document=contract&thread=${thread}`

export const signature: Costed = {
  prepare: async ({ ask }) => {
    await many(500, (n) => ask('POST', '/signature/signature', { body: record(`before${n}`) }))
    await many(maxRuns, (n) => ask('POST', '/signature/signature', { body: record(`gone${n}`) }))
  },
  filled: { by: 'POST /signature, two tags', times: 500 + maxRuns },
  operations: [
    {
      name: 'POST /signature, two tags',
      run: ({ ask }, n) => ask('POST', '/signature/signature', { body: record(`new${n}`) }),
    },
    {
      name: 'POST /signature, the next version',
      run: ({ ask }, n) => ask('POST', '/signature/signature', { body: { ...record(`before${n}`), version: 1 } }),
    },
    { name: 'GET /signature', run: ({ ask }, n) => ask('GET', `/signature/signature?${of(`before${100 + n}`)}`) },
    { name: 'GET /signatures, 10 of 500', run: ({ ask }) => ask('GET', '/signature/signatures?tags=sales&limit=10') },
    {
      name: 'POST /signature/verify',
      run: ({ ask }) => ask('POST', '/signature/signature/verify', { body: { cms } }),
    },
    { name: 'DELETE /signature', run: ({ ask }, n) => ask('DELETE', `/signature/signature?${of(`gone${n}`)}`) },
  ],
}

export const pdf: Costed = {
  operations: has('chromium')
    ? [
        {
          name: 'POST /pdf, one page',
          times: 2,
          run: ({ ask }, n) => ask('POST', '/pdf/pdf', { body: { html: `<h1>Invoice ${n}</h1>`, format: 'A5' } }),
        },
      ]
    : [],
}
