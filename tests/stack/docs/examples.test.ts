// Runs the shell examples of the README and of the guide against a real stack, and compares their replies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { readPages } from '../../../scripts/site/guide/pages.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { start } from '../stack.ts'
import { calledIn, compared, examplesIn, type Ran, runExamples } from './examples.ts'

const pages = readPages()
  .flatMap((group) => group.pages)
  .map(({ file, markdown }) => ({ file, examples: examplesIn(markdown) }))
  .filter(({ examples }) => examples.length > 0)

describe.skipIf(!has('curl') || !has('bash'))('the guide', () => {
  let stack: Stack

  beforeAll(async () => {
    stack = await start()
  })

  afterAll(() => stack?.dispose())

  it('has calls to every component', () => {
    const called = calledIn(pages.flatMap(({ examples }) => examples))
    expect([...called]).toEqual(expect.arrayContaining(stack.components))
  })

  describe.each(pages)('$file', ({ examples }) => {
    let ran: Ran

    beforeAll(async () => {
      ran = await runExamples(examples, stack)
    })

    it('runs from top to bottom', () => {
      expect(ran.trouble).toBe('')
    })

    it.each(examples.map((example, at) => ({ example, at })).filter(({ example }) => example.reply))(
      'gets the reply under line $example.line',
      ({ example, at }) => {
        const [is, says] = compared(ran.printed[at]!, example)
        expect(is).toEqual(says)
      },
    )
  })
})
