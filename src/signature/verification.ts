import type { Env } from './bindings.ts'
import type { Verified } from './contract.ts'
import { readBytes } from './finding.ts'
import { parseSigned } from './signed/parsing.ts'
import { verifySigned } from './signed/verifying.ts'
import { shownSigner } from './signers.ts'

/** What is true of a signature: a stored one, or one that is given. */
export async function verifySignature(env: Env, given: Verified) {
  const { format, bytes } = await signedOf(env, given)
  const { result, signers } = await verifySigned(bytes, format, given.content)
  return { format, result, signers: signers.map(shownSigner) }
}

const signedOf = (env: Env, { cms, document = '', thread = '', version }: Verified) =>
  cms === undefined ? readBytes(env, { document, thread, version }) : parseSigned(cms)
