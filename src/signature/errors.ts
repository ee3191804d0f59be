// Error codes of the signature API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'
import type { VersionOf } from './contract.ts'

export const { errors, failure } = defineErrors({
  signature_not_found: {
    status: 404,
    cause: 'No signature is stored under this document, thread and version.',
    remedy: 'List the signatures with `GET /signatures`, or save one with `POST /signature`.',
  },
  version_conflict: {
    status: 409,
    cause: 'The newest version is not the `version` that the request follows.',
    remedy:
      'Read the newest version, whose number is in `content.version` (0 if there is none), decide whether to follow it, then save again with that `version`.',
  },
})

const maxShownLength = 64

/** Creates the 404 error of a signature. The message names the document and the thread, unless these names are long. */
export function missingSignature({ document, thread, version }: VersionOf) {
  if (document.length > maxShownLength || thread.length > maxShownLength) return failure('signature_not_found')
  const names = [`document ${JSON.stringify(document)}`, `thread ${JSON.stringify(thread)}`]
  if (version !== undefined) names.push(`version ${version}`)
  return failure('signature_not_found', `No signature is stored for ${names.join(', ')}.`)
}
