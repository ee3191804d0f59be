// Tests which names and summaries `npm run new` accepts for a component.
import { describe, expect, it } from 'vitest'
import { validationErrorOf } from '../../../scripts/new/validation.ts'

describe('the name of a new component', () => {
  const validationError = (name: string, summary = 'An example') =>
    validationErrorOf({ name, summary, hasDatabase: false })

  it.each(['hello', 'queue2', 'ab'])('can be %s', (name) => {
    expect(validationError(name)).toBeUndefined()
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
    expect(validationError(name)).toContain(reason)
  })

  it('rejects a summary that breaks a string or a table', () => {
    expect(validationError('hello', "It's")).toContain('summary')
    expect(validationError('hello', 'a | b')).toContain('summary')
  })
})
