import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { start } from '../stack.ts'
import { calledIn, examplesIn, type Ran, runExamples } from './examples.ts'

const examples = examplesIn(readFileSync('README.md', 'utf8'))

describe.skipIf(!has('curl') || !has('bash'))('the README', () => {
  let stack: Stack
  let ran: Ran

  beforeAll(async () => {
    stack = await start()
    ran = await runExamples(examples, stack)
  })

  afterAll(() => stack?.dispose())

  it('has calls to every component', () => {
    expect(calledIn(examples)).toEqual(new Set(stack.components))
  })

  it('runs from top to bottom', () => {
    expect(ran.trouble).toBe('')
  })

  it.each(examples.map(({ line }, at) => ({ line, at })))('gets a reply on line $line', ({ at }) => {
    expect(ran.printed[at]).not.toBe('')
  })
})
