import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipKeyOf } from '#core/http/ip-key'

describe('ipKeyOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['010.0.0.1', undefined],
    ['127.1', undefined],
    ['0x7f000001', undefined],
    ['1.2.3.4/32', undefined],
    ['[::1]', undefined],
    ['fe80::1%1', undefined],
    ['', undefined],
  ])('%j counts as %j', (text, address) => {
    expect(ipKeyOf(text)).toBe(address)
  })

  it('counts as itself, as its network, or is invalid', () => {
    const check = (text: string, isRight: (address: string | undefined) => boolean) =>
      expect([text, ipKeyOf(text)]).toSatisfy(([, address]) => isRight(address))
    fc.assert(fc.property(fc.string(), (text) => void check(text, (address) => address !== '')))
    fc.assert(fc.property(fc.ipV4(), (text) => void check(text, (address) => address === text)))
    fc.assert(
      fc.property(fc.ipV6(), (text) => void check(text, (address) => /\/64$|^\d+(\.\d+){3}$/.test(address ?? ''))),
    )
  })
})
