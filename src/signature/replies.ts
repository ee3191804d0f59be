import { type Base64, whole } from './base64-stream.ts'
import { type ListedSignature, type Signature, writeListedSignature, writeSignature } from './contract.ts'
import { fillSignature, streamed } from './json-stream.ts'
import { readAtOnce } from './lists.ts'

type Stored<Shown> = Omit<Shown, 'signature'> & { signature: Base64 }

export const done = <Content>(content: Content) => ({ status: true as const, message: null, content })

/** The reply that is a signature; one that comes in pieces goes out in pieces. */
export function answerSignature({ signature, ...rest }: Stored<Signature>, status?: number) {
  if (typeof signature === 'string') return done({ signature: { ...rest, signature } })
  const json = writeSignature({ ...rest, signature: '' })
  return streamed(within('{"signature":', fillSignature(json, signature), '}'), status)
}

interface Page {
  signatures: AsyncIterable<Stored<ListedSignature>>
  /** What stands beside them. */
  rest: object
  /** Bytes that it has, or a few more. */
  size: number
}

/** The reply that is a page; a large one is made while it goes out. */
export async function answerPage({ signatures, rest, size }: Page) {
  if (size >= readAtOnce) return streamed(within('{"signatures":[', listOf(signatures), `]${tailOf(rest)}`))
  const all = await Array.fromAsync(signatures, async (one) => ({ ...one, signature: await whole(one.signature) }))
  return done({ signatures: all, ...rest })
}

async function* within(before: string, pieces: AsyncIterable<string>, after: string): AsyncGenerator<string> {
  yield `{"status":true,"message":null,"content":${before}`
  yield* pieces
  yield `${after}}`
}

async function* listOf(signatures: Page['signatures']): AsyncGenerator<string> {
  let before = ''
  for await (const { signature, ...rest } of signatures) {
    yield before
    yield* fillSignature(writeListedSignature({ ...rest, signature: '' }), signature)
    before = ','
  }
}

/** The end of an object that goes on with the keys of another one. */
function tailOf(rest: object): string {
  const json = JSON.stringify(rest)
  return json === '{}' ? '}' : `,${json.slice(1)}`
}
