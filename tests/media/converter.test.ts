// Tests that the sRGB converter reuses one instance of LittleCMS, and keeps no memory for unusable profiles.
import { expect, it } from 'vitest'
import { converterFor, dropConverter, idleConverterBytes } from '#media/engines/srgb-converter'
import { matrixProfile } from './profiles.ts'

const rgb = (gamma: number) => ({ model: 'rgb' as const, bytes: matrixProfile('RGB ', gamma) })

it('reuses one instance of LittleCMS for images with the same profile', () => {
  const first = converterFor(rgb(2.2))
  expect(first).toBeDefined()
  expect(converterFor(rgb(2.2))).toBe(first)
  const other = converterFor(rgb(1))
  expect(other).not.toBe(first)
  expect(converterFor(rgb(1), true)).not.toBe(other)
  expect(idleConverterBytes()).toBe(other!.memory)
  dropConverter()
  expect(idleConverterBytes()).toBe(0)
})

it('converts equal images equally, however many came before', () => {
  const convert = (gamma: number) => {
    const pixels = Uint8Array.of(10, 100, 200, 255)
    converterFor(rgb(gamma))!.convert(pixels)
    return [...pixels]
  }
  const [adobe, linear] = [convert(2.2), convert(1)]
  expect(adobe).not.toEqual(linear)
  expect([convert(2.2), convert(2.2), convert(1)]).toEqual([adobe, adobe, linear])
})

it('keeps nothing in memory for a profile that cannot be used', () => {
  converterFor(rgb(2.2))
  expect(converterFor({ model: 'rgb', bytes: new Uint8Array(200) })).toBeUndefined()
  expect(idleConverterBytes()).toBe(0)
})
