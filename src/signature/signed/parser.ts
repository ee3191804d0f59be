// Parses the signed data of a save: detects CMS or XML, and lists the signers.
import { findSigners, signerOf } from './cms/cms-signers.ts'
import { readSignedData } from './cms/signed-data.ts'
import { derOf, detectFormat } from './input-format.ts'
import { malformed } from './parse-errors.ts'
import type { Format, ParsedSignature, Signer } from './types.ts'
import { readSignedXml } from './xml/signed-xml.ts'
import { signerOf as xmlSignerOf } from './xml/xml-signer.ts'

const maxBytes = 16_000_000

/**
 * Parses signed data: CMS (BER in base64, or PEM) or XML (text, or in base64). Does not verify it. Throws 400 for the parameter
 * `cms` if the signed data is not well-formed or too large.
 */
export async function parseSignedData(text: string): Promise<ParsedSignature> {
  const { format, bytes } = detectFormat(text)
  if (bytes.length > maxBytes) throw malformed(`Must be at most ${maxBytes} bytes`)
  return { format, bytes, signers: signersOf(format, bytes) }
}

function signersOf(format: Format, bytes: Uint8Array<ArrayBuffer>): Signer[] {
  if (format === 'xml') {
    const all = readSignedXml(bytes)
    return all.signatures.map((signature) => xmlSignerOf(signature, all))
  }
  return findSigners(readSignedData(derOf(bytes))).map(signerOf)
}
