import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../scripts/stack/stack.ts'
import { ask } from './http.ts'
import { start } from './stack.ts'

/** The README's calls, as they stand there: method, URL, body. */
const calls = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) =>
  [...block!.matchAll(/^curl -X (\w+) '?(http[^ '\n]+)'?(?: -d '([^']*)')?$/gm)].map(([call, method, url, body]) => ({
    call,
    method: method!,
    url: url!,
    body,
  })),
)

let stack: Stack

beforeAll(async () => {
  stack = await start()
})

afterAll(() => stack.dispose())

describe('the README', () => {
  it('has calls to every component', () => {
    const lines = readFileSync('README.md', 'utf8').match(/^curl -X /gm)
    expect(calls).toHaveLength(lines!.length)
    expect(new Set(calls.map(({ url }) => url.split('/')[3]))).toEqual(new Set(stack.components))
  })

  it.each(calls)('$call', async ({ method, url, body }) => {
    const { status, text } = await ask(url.replace('http://localhost:8787', stack.url), {
      method,
      ...(body && { body }),
    })
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(300)
    expect(() => JSON.parse(text)).not.toThrow()
  })
})
