// Tests the signatures by which a component recognizes the queue's callbacks.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requireQueueProof, signProof } from '#core/http/proof'

const hmac = async (secret: string, text: string) => {
  const bytes = (of: string) => new TextEncoder().encode(of)
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text))).toHex()
}

describe('the proof of a text', () => {
  it('is HMAC-SHA256 by the purpose and the secret', async () => {
    expect(await signProof('secret', 'shop callback', '7')).toBe(await hmac('shop callback secret', '7'))
  })

  it('differs for another text, purpose or secret', async () => {
    const inputs: [string, string, string][] = [
      ['secret', 'shop callback', '7'],
      ['secret', 'shop callback', '8'],
      ['secret', 'shop receipt', '7'],
      ['other', 'shop callback', '7'],
    ] as const
    const proofs = await Promise.all(inputs.map((one) => signProof(...one)))
    expect(new Set(proofs).size).toBe(inputs.length)
  })
})

describe('signed calls of the queue', () => {
  const env = { secret: 'secret' }
  const proofOf = ({ secret }: typeof env, { order }: { order: number }) => signProof(secret, 'shop', String(order))
  const isQueue = requireQueueProof({ header: 'shop-proof', body: z.object({ order: z.int() }), proofOf })
  const verify = (body: string, proof?: string) => {
    const request = new Request('http://shop.test/callback', {
      headers: proof === undefined ? {} : { 'shop-proof': proof },
    })
    return isQueue({ env, request, url: new URL(request.url), bytes: new TextEncoder().encode(body) })
  }

  it('pass with the signature of the signed fields of the body, whatever the other fields', async () => {
    expect(await verify('{"order": 7, "more": true}', await proofOf(env, { order: 7 }))).toBe(true)
  })

  it.each(['{"order": 8}', '{"order": "7"}', '{}', '', '[7]', '{"order": 7', '\u0000'])(
    'are refused with the proof of another body than %j',
    async (body) => {
      const proof = await proofOf(env, { order: 7 })
      await expect(verify(body, proof)).rejects.toMatchObject({ status: 401 })
    },
  )

  it.each([undefined, '', 'ab'])('are refused with the proof %j', async (proof) => {
    await expect(verify('{"order": 7}', proof)).rejects.toMatchObject({ status: 401 })
  })
})
