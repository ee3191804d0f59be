import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../scripts/new/refusal.ts'

describe('the name of a new component', () => {
  const refusal = (name: string, summary = 'An example') => refusalOf({ name, summary, hasDatabase: false })

  it.each(['hello', 'queue2', 'ab'])('can be %s', (name) => {
    expect(refusal(name)).toBeUndefined()
  })

  it.each([
    ['', '2 to 30'],
    ['a', '2 to 30'],
    ['Hello', '2 to 30'],
    ['hello-world', '2 to 30'],
    ['../hello', '2 to 30'],
    ['class', 'TypeScript'],
    ['await', 'TypeScript'],
    ['docs', 'gateway'],
    ['wire', 'imports'],
    ['badge', 'src/badge exists'],
    ['typeahead', 'workers/typeahead exists'],
    ['security', 'docs/security.md exists'],
    ['messages', 'src/console/pages/messages exists'],
  ])('cannot be "%s"', (name, reason) => {
    expect(refusal(name)).toContain(reason)
  })

  it('refuses a summary that cannot stand in a string and in a table', () => {
    expect(refusal('hello', "It's")).toContain('summary')
    expect(refusal('hello', 'a | b')).toContain('summary')
  })
})
