// Tests the architecture rules themselves: each finds exactly the violation that is planted in a small project.
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../../scripts/rules/check.ts'
import { clean, planted } from './planted.ts'

const violationsIn = (files: Record<string, string>) => checkRules(new Map(Object.entries(files))).violations

it('finds nothing in a project without violations', () => {
  expect(violationsIn(clean)).toEqual([])
})

describe('finds', () => {
  it.each(planted)('$what ($rule)', ({ rule, path, text, files }) => {
    const found = violationsIn({ ...clean, ...files, [path]: text })
    expect([...new Set(found.map((violation) => violation.rule))]).toEqual([rule])
    expect(found.map(({ file }) => file)).toContain(path)
  })
})
