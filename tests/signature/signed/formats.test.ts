// Verifies the stored signatures of different programs, formats and algorithms.
import { describe, expect, inject, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { serial, subjectOf } from '../../support/signed/keys.ts'
import { type Recipe, recipes } from '../../support/signed/recipes.ts'

const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))

const signed = inject('signed')

const origins = (['kept', 'made'] as const).filter((origin) => Object.keys(signed[origin]).length > 0)

describe.each(origins)('%s', (origin) => {
  const there = Object.entries(recipes).filter(([name]) => name in signed[origin])

  it.each(there)('%s is parsed and verified', async (name, recipe) => {
    const base64 = signed[origin][name]!
    const { format, bytes, signers } = await parseSignedData(base64)
    expect(format).toBe(recipe.program === 'openssl' ? 'cms' : 'xml')
    expect(bytes).toEqual(Uint8Array.fromBase64(base64))
    expect(signers).toEqual([signerOf(name, recipe)])
    const input = recipe.detachedFrom === undefined ? undefined : utf8(recipe.detachedFrom)
    const { result = 'valid', weak = false, covers } = recipe
    expect(await verifySignedData(bytes, format, input)).toEqual({
      result,
      signers: [{ ...signers[0], result, weak, covers, reason: reasonOf(recipe) }],
    })
  })

  const detached = there.filter(([, { detachedFrom }]) => detachedFrom)

  it.each(detached)('%s is invalid for other content, and cannot be verified without content', async (name, recipe) => {
    const { format, bytes } = await parseSignedData(signed[origin][name]!)
    expect((await verifySignedData(bytes, format, utf8(recipe.detachedFrom!.replace('5', '6')))).result).toBe('invalid')
    await expect(verifySignedData(bytes, format)).rejects.toMatchObject({
      errors: { content: 'content is required, because the signature is detached.' },
    })
  })
})

it('all described signatures are stored as fixtures', () => {
  expect(Object.keys(recipes).filter((name) => !(name in signed.kept))).toEqual([])
})

function signerOf(name: string, { key, algorithm, isBare, program }: Recipe) {
  const { shown } = subjectOf(key)
  const byKeyId = name.includes('keyid')
  const isNamed = !isBare || (program === 'openssl' && !byKeyId)
  return {
    subject: isBare ? null : shown,
    issuer: isNamed ? shown : null,
    serial: isNamed ? serial.replace(/^0+/, '') : null,
    key_id: byKeyId ? expect.stringMatching(/^[0-9A-F]{40}$/) : null,
    signed_at: program === 'openssl' && !name.includes('noattr') ? expect.any(Date) : null,
    algorithm,
    countersigns: null,
  }
}

const reasonOf = ({ result, weak }: Recipe) => (result || weak ? expect.any(String) : null)
