import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../scripts/stack/stack.ts'
import { ask } from './http.ts'
import { start } from './stack.ts'

/** A call as it stands there: method, URL, header, body or file, and where the reply goes unless it is JSON. */
const curl =
  /^curl -X (\w+) ['"]?(http[^ '"\n]+)['"]?(?: -H "([^":]+): ([^"]+)")?(?: -d '([^']*)')?(?: -F file=@(\S+))?(?: -o (\S+))?$/gm

/** The README's calls. */
const calls = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) =>
  [...block!.matchAll(curl)].map(([call, method, url, header, value, body, file, output]) => ({
    ...{ call, method: method!, url: url!, header, value, body, file, output },
  })),
)

/** What the README's shell variable stands for. */
const secretOf = ({ secrets }: Stack) =>
  (JSON.parse(readFileSync(secrets.file, 'utf8')) as { BOX_ADMIN_SECRET: string }).BOX_ADMIN_SECRET

let stack: Stack

/** What `$IMAGE` and the like stand for: the digest of the last upload of that kind. */
const digests = new Map<string, string>()
const withDigests = (url: string) => url.replace(/\$([A-Z]+)/g, (_, kind: string) => digests.get(kind) ?? '')

beforeAll(async () => {
  stack = await start()
})

afterAll(() => stack.dispose())

async function upload(url: string, file: string) {
  const form = new FormData()
  form.append('file', new Blob([readFileSync(file)]), basename(file))
  const response = await fetch(url, { method: 'POST', body: form })
  return { status: response.status, text: await response.text() }
}

describe('the README', () => {
  it('has calls to every component', () => {
    const lines = readFileSync('README.md', 'utf8').match(/^curl -X /gm)
    expect(calls).toHaveLength(lines!.length)
    expect(new Set(calls.map(({ url }) => url.split('/')[3]))).toEqual(new Set(stack.components))
  })

  it.each(calls)('$call', async ({ method, url, header, value, body, file, output }) => {
    const here = (text: string) => withDigests(text).replaceAll('http://localhost:8787', stack.url)
    const { status, text } = file
      ? await upload(here(url), file)
      : await ask(here(url), {
          method,
          ...(header && { headers: { [header]: value!.replace('$SECRET', secretOf(stack)) } }),
          ...(body && { body: here(body) }),
        })
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(300)
    if (output) return expect(text.length).toBeGreaterThan(1_000)
    const { digest } = JSON.parse(text) as { digest?: string }
    if (file) digests.set(new URL(url).pathname.split('/').at(-1)!.toUpperCase(), digest!)
  })
})
