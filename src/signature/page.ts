import { z } from 'zod'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { ListedSignature, type Listing } from './contract.ts'
import type { Env } from './env.ts'
import { listRecords, readAtOnce } from './listing.ts'
import { readPage } from './reading.ts'
import { schema } from './schema.ts'

/** Lists signatures: as a whole, or where the page is large as a stream, which holds some of it at a time. */
export async function listSignatures(env: Env, filter: Listing) {
  const store = open(env, schema)
  const page = await listRecords(store, filter)
  const { rows, ...rest } = page
  const signatures = readPage(env, store, page)
  if ((rows.at(-1)?.total ?? 0) >= readAtOnce) return new Response(streamOf(signatures, rest), { headers })
  return { status: true as const, message: null, content: { signatures: await Array.fromAsync(signatures), ...rest } }
}

const headers = { 'content-type': 'application/json; charset=utf-8' }

type Signatures = AsyncIterable<z.output<typeof ListedSignature>>

function streamOf(signatures: Signatures, rest: object): ReadableStream<Uint8Array> {
  const pieces = inPieces(signatures, rest)
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* inPieces(signatures: Signatures, rest: object): AsyncGenerator<string, undefined> {
  try {
    let before = '{"status":true,"message":null,"content":{"signatures":['
    for await (const signature of signatures) {
      yield before + JSON.stringify(z.encode(ListedSignature, signature))
      before = ','
    }
    const last = JSON.stringify(rest)
    yield `${before === ',' ? '' : before}]${last === '{}' ? '' : ','}${last.slice(1)}}`
  } catch (error) {
    // The reply is under way: it breaks off.
    log('error', { component: 'signature', route: '/signatures', ...describe(error) })
    throw error
  }
}
