// Tests the JSON of signers that is stored in the database.
import { expect, it } from 'vitest'
import { signersJson } from '#signature/signer-json'
import { ann } from './samples.ts'

const signer = { ...ann, signed_at: new Date('2026-01-31T12:00:00.999Z'), algorithm: null }

it('signers are stored in the form of replies', () => {
  expect(JSON.parse(signersJson([signer, { ...signer, signed_at: null }]))).toEqual([
    { ...ann, signed_at: '2026-01-31 12:00:00', algorithm: null },
    { ...ann, signed_at: null, algorithm: null },
  ])
})

it('signers whose names are too long for a row are rejected', () => {
  const named = (length: number) => [{ ...signer, subject: 'Ж'.repeat(length / 2) }]
  expect(signersJson(named(249_000))).toHaveLength(signersJson([{ ...signer, subject: '' }]).length + 124_500)
  expect(() => signersJson(named(250_000))).toThrow(
    expect.objectContaining({ status: 400, errors: { cms: expect.stringContaining('250000') } }),
  )
})
