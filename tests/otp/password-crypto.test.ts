// Tests the encryption and the keyed hashes of one-time passwords.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, channelDigest, decryptFor, encryptFor, passwordDigest } from '#otp/password-crypto'
import { bound } from './support.ts'

const other = { ...bound, OTP_SECRET: 'another secret' }
const aText = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }) },
  fc.constant('\ufeffpassword'),
)
const anAddress: fc.Arbitrary<Address> = fc.record({
  channel: fc.constantFrom('sms' as const, 'call' as const, 'email' as const, 'chatapp' as const),
  target: aText,
})

describe('a password', () => {
  it('is read again at its own address under its own secret, and nowhere else', async () => {
    const run = fc.asyncProperty(anAddress, anAddress, aText, async (address, elsewhere, password) => {
      const sealed = await encryptFor(bound, address, password)
      expect(await decryptFor(bound, address, sealed)).toBe(password)
      expect(await decryptFor(other, address, sealed)).toBeUndefined()
      if (JSON.stringify(address) !== JSON.stringify(elsewhere))
        expect(await decryptFor(bound, elsewhere, sealed)).toBeUndefined()
    })
    await fc.assert(run)
  })

  it('is never encrypted to the same', async () => {
    const address = { channel: 'sms', target: '77011234567' } as const
    const sealed = await Promise.all(Array.from({ length: 50 }, () => encryptFor(bound, address, '1234')))
    expect(new Set(sealed).size).toBe(50)
  })

  it('has a digest that no other one has', async () => {
    const seen = new Map<string, string>()
    const unlike = (digest: string, what: unknown) => {
      const text = JSON.stringify(what)
      expect(seen.get(digest) ?? text).toBe(text)
      seen.set(digest, text)
    }
    const run = fc.asyncProperty(anAddress, aText, async (address, password) => {
      unlike(await passwordDigest(bound, address, password), [address, password])
      unlike(await passwordDigest(other, address, password), ['other', address, password])
      unlike(await channelDigest(bound, address.channel, password), [address.channel, password])
    })
    await fc.assert(run)
  })

  it('is not what its target and it are together', async () => {
    const digest = (target: string, password: string) => passwordDigest(bound, { channel: 'chatapp', target }, password)
    expect(await digest('a', 'bc')).not.toBe(await digest('ab', 'c'))
    expect(await digest('a","b', 'c')).not.toBe(await digest('a', 'b","c'))
  })
})
