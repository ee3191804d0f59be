// Writes replies with signatures. Large ones are streamed, so that they are never in memory as a whole.
import { type Base64Text, joinBase64 } from './base64-stream.ts'
import { type ListedSignature, type Signature, writeListedSignature, writeSignature } from './contract.ts'
import { fillSignature, streamJson } from './json-stream.ts'
import { maxBufferedBytes } from './lists.ts'

type Stored<Shown> = Omit<Shown, 'signature'> & { signature: Base64Text }

/** Wraps a content in the envelope of this component's replies, whose `message` is always null. */
export const success = <Content>(content: Content) => ({ status: true as const, message: null, content })

/** Creates the reply with a signature. Large signed data is streamed. */
export function answerSignature({ signature, ...rest }: Stored<Signature>, status?: number) {
  if (typeof signature === 'string') return success({ signature: { ...rest, signature } })
  const json = writeSignature({ ...rest, signature: '' })
  return streamJson(withinEnvelope('{"signature":', fillSignature(json, signature), '}'), status)
}

interface Page {
  signatures: AsyncIterable<Stored<ListedSignature>>
  /** The keys of the reply other than `signatures`: `nb_results` and `next_offset`. */
  rest: object
  /** Size of the page in bytes, or slightly more. It decides whether the reply is streamed. */
  size: number
}

/** Creates the reply with a page of signatures. A large page is streamed. */
export async function answerPage({ signatures, rest, size }: Page) {
  if (size >= maxBufferedBytes)
    return streamJson(withinEnvelope('{"signatures":[', listOf(signatures), `]${tailOf(rest)}`))
  const all = await Array.fromAsync(signatures, async (one) => ({ ...one, signature: await joinBase64(one.signature) }))
  return success({ signatures: all, ...rest })
}

async function* withinEnvelope(before: string, pieces: AsyncIterable<string>, after: string): AsyncGenerator<string> {
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

/** Returns the end of a JSON object: its remaining keys, and the closing brace. */
function tailOf(rest: object): string {
  const json = JSON.stringify(rest)
  return json === '{}' ? '}' : `,${json.slice(1)}`
}
