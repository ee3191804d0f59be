// Tests which format of a thumbnail the header Accept selects.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { negotiateFormat } from '#media/content-negotiation'
import { formats, kinds } from '#media/engines/engine'

it.each([
  [undefined, 'gif'],
  ['', 'gif'],
  ['*/*', 'gif'],
  ['image/*', 'gif'],
  ['image/png,image/jpeg', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['IMAGE/WEBP ; Q=0.5', 'webp'],
  ['image/avif,image/webp,*/*;q=0.8', 'webp'],
  ['image/avif;q=0.9,image/webp;q=0.8', 'avif'],
  ['image/webp;q=0.8,image/avif;q=0.9', 'avif'],
  ['image/webp;q=0, image/avif;q=0.1', 'avif'],
  ['image/webp;q=0', 'gif'],
  ['image/webp;q=0.000,*/*', 'gif'],
  ['text/html, image/webp-not, ximage/webp', 'gif'],
] as const)('Accept: %s gives a GIF as %s', (accept, format) => {
  expect(negotiateFormat(undefined, accept, 'gif')).toBe(format)
})

it('returns the requested format, whatever the client accepts', () => {
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.string(), fc.constantFrom(...kinds), (asked, accept, own) => {
      expect(negotiateFormat(asked, accept, own)).toBe(asked)
    }),
  )
})

it('returns one of three formats for any header', () => {
  const pieces = fc.constantFrom('image/', 'webp', 'avif', '*', ';', 'q=', ',', '"', '\\', ' ', '0', '1', '.', 'NaN')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (accept) => {
        expect(['png', 'webp', 'avif']).toContain(negotiateFormat(undefined, accept, 'png'))
      },
    ),
  )
})
