import { signerOf, signersIn } from './cms/cms-signers.ts'
import { readSignedData } from './cms/signed-data.ts'
import { derOf, formOf } from './input-format.ts'
import { malformed } from './parse-errors.ts'
import type { Format, Signed, Signer } from './types.ts'
import { readSignatures } from './xml/signed-xml.ts'
import { signerOf as xmlSignerOf } from './xml/xml-signer.ts'

const maxBytes = 16_000_000

/**
 * Reads a CMS signature (base64 of BER, or PEM) or an XML one (or its base64). Throws a `Failure`, 400 for the
 * parameter `cms`, which says what is wrong.
 */
export async function parseSigned(text: string): Promise<Signed> {
  const { format, bytes } = formOf(text)
  if (bytes.length > maxBytes) throw malformed(`Must be at most ${maxBytes} bytes`)
  return { format, bytes, signers: signersOf(format, bytes) }
}

function signersOf(format: Format, bytes: Uint8Array<ArrayBuffer>): Signer[] {
  if (format === 'xml') {
    const all = readSignatures(bytes)
    return all.signatures.map((signature) => xmlSignerOf(signature, all))
  }
  return signersIn(readSignedData(derOf(bytes))).map(signerOf)
}
