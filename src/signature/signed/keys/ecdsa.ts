// Converts ECDSA signature values to the format that WebCrypto expects.
import { Failure } from '#core/failure'
import { elementsOf, readBer, tags } from '../asn1/ber.ts'
import { encoded } from '../asn1/der.ts'
import { equal } from '../bytes.ts'
import { type Curve, coordinateSizes, unsigned } from './public-key.ts'

/**
 * Converts an ECDSA signature from DER (RFC 3279, section 2.2.3) to IEEE P1363 form, r and s concatenated. Returns undefined unless
 * the encoding is exactly DER: each signature then has one accepted encoding, and no bit of it can change.
 */
export function toP1363(der: Uint8Array<ArrayBuffer>, curve: Curve): Uint8Array<ArrayBuffer> | undefined {
  const size = coordinateSizes[curve]
  const numbers = numbersOf(der)
  if (numbers?.length !== 2 || numbers.some(({ length }) => length > size)) return undefined
  if (!equal(encoded(0x30, numbers.map(integer)), der)) return undefined
  const pair = new Uint8Array(2 * size)
  numbers.forEach((number, i) => {
    pair.set(number, (i + 1) * size - number.length)
  })
  return pair
}

function numbersOf(der: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | undefined {
  try {
    return elementsOf(readBer(der)).map(({ tag, content }) =>
      unsigned(tag === tags.integer ? content : new Uint8Array()),
    )
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

const integer = (number: Uint8Array) =>
  encoded(tags.integer, number[0]! < 0x80 ? [number] : [new Uint8Array(1), number])
