// Makes keys and signs data with WebCrypto, for signatures that tests build by hand.
import { type Der, der, sequence } from './der.ts'

/** A key that signs as CMS requires, with ECDSA signatures in DER. */
export interface Signing {
  key: Der
  sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

export async function p256(): Promise<Signing> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const { sign, ...pair } = await signing(algorithm)
  return { ...pair, sign: async (data) => derOf(await sign(data)) }
}

/** A key that signs as XML signatures require: ECDSA signatures as two numbers of fixed length. */
export const rawP256 = () => signing({ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' })

export const ed25519 = () => signing({ name: 'Ed25519' })

async function signing(algorithm: { name: string; namedCurve?: string; hash?: string }): Promise<Signing> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  if (!('publicKey' in pair)) throw new Error('This is no pair of keys')
  const exported = await crypto.subtle.exportKey('spki', pair.publicKey)
  if (!(exported instanceof ArrayBuffer)) throw new Error('This is not SPKI')
  return {
    key: new Uint8Array(exported),
    sign: async (data) => new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, data)),
  }
}

function derOf(pair: Uint8Array): Der {
  const half = pair.length / 2
  return sequence(integer(pair.subarray(0, half)), integer(pair.subarray(half)))
}

function integer(bytes: Uint8Array): Der {
  const first = bytes.findIndex((byte) => byte !== 0)
  const number = bytes.subarray(first)
  return number[0]! < 0x80 ? der(0x02, number) : der(0x02, new Uint8Array(1), number)
}
