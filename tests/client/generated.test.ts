import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { callsIn } from '../../scripts/client/document.ts'
import { generate } from '../../scripts/client/generate.ts'
import { generatedIn } from '../../scripts/client/write.ts'

const description = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

it('the generated files match the document; npm run client writes them', () => {
  const written = globSync(`${generatedIn}/*.ts`).map((file) => [basename(file), readFileSync(file, 'utf8')])
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(generate(description)))
})

it('omits operations for other systems, and tus uploads', () => {
  const names = callsIn(description).map(({ name }) => name)
  expect(names).toContain('POST /queue/task')
  for (const name of [
    'POST /payment/pay',
    'GET /sms/receipt/{provider}',
    'POST /otp/chatapp/webhook',
    'PATCH /media/tus/{digest}',
  ])
    expect(names).not.toContain(name)
})

it('fails for an unknown operation in a manifest', () => {
  const paths = { ...description.paths }
  delete paths['/pdf/pdf']
  expect(() => generate({ ...description, paths })).toThrow('POST /pdf/pdf')
})
