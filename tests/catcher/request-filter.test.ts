// Tests of the filter by method and path.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matches } from '#catcher/request-filter'

const path = fc.webPath().map((path) => `/${path.replaceAll('*', '')}`)
const method = fc.constantFrom('get', 'post', 'options')

it('matches everything without a filter', () => {
  fc.assert(
    fc.property(method, path, (method, path) => {
      expect(matches({}, { method, path })).toBe(true)
    }),
  )
})

it('matches an equal path, and no longer path', () => {
  fc.assert(
    fc.property(method, path, path, (method, path, more) => {
      expect(matches({ path }, { method, path })).toBe(true)
      expect(matches({ path }, { method, path: path + more })).toBe(false)
    }),
  )
})

it('matches all paths with the prefix before a star', () => {
  fc.assert(
    fc.property(method, path, path, (method, path, more) => {
      expect(matches({ path: `${path}*` }, { method, path: path + more })).toBe(true)
      expect(matches({ path: `${path}x*` }, { method, path })).toBe(false)
    }),
  )
})

it('matches an equal method', () => {
  fc.assert(
    fc.property(method, method, path, (wanted, method, path) => {
      expect(matches({ method: wanted, path: null }, { method, path })).toBe(wanted === method)
    }),
  )
})
