// Describes the error replies of an endpoint for the OpenAPI document, one response per HTTP status.
import { coreErrors, type ErrorDefinition } from '#core/errors'
import type { About, CoreEnv, Endpoint } from './declaration.ts'
import type { Described } from './described.ts'
import { errorCodesOf } from './error-codes.ts'

/** Reference to the schema of an error's body, which all errors share. */
export const errorBody = { $ref: '#/components/schemas/Refusal' }

/** An endpoint's error responses by status, and the shared responses by name to which they refer. */
export interface ErrorResponses {
  responses: Record<string, Described>
  shared: Record<string, Described>
}

/**
 * Makes one response per error status, with an enum of its codes. Operations with the same codes refer to one shared
 * response, so that the document stays small. The name of a shared response with codes of one component begins with the
 * component.
 */
export function errorResponsesOf<Env extends CoreEnv>(about: About<Env>, endpoint: Endpoint<Env>): ErrorResponses {
  const definitions: Record<string, ErrorDefinition> = { ...coreErrors, ...about.errors }
  const known = errorCodesOf(endpoint).flatMap((code) => {
    const definition = definitions[code]
    return definition ? [{ code, ...definition }] : []
  })
  const shared: ErrorResponses['shared'] = {}
  const responses: ErrorResponses['responses'] = {}
  for (const [status, of = []] of Object.entries(Object.groupBy(known, ({ status }) => status))) {
    const codes = of.map(({ code }) => code).toSorted()
    const described = describeErrors(of, endpoint.refused && endpoint.produces)
    if (endpoint.refused || endpoint.replies?.[Number(status)]) {
      responses[status] = described
      continue
    }
    const isOwn = codes.some((code) => !Object.hasOwn(coreErrors, code))
    const name = [...(isOwn ? [about.name] : []), ...codes].join('.')
    shared[name] = described
    responses[status] = {
      $ref: `#/components/responses/${name}`,
      description: codes.map((code) => `\`${code}\``).join(', '),
    }
  }
  return { responses, shared }
}

type KnownError = ErrorDefinition & { code: string }

/**
 * Describes all errors of one status. The body is JSON, or the page of the media type `pageType` for endpoints that
 * people open in a browser.
 */
function describeErrors(known: KnownError[], pageType: string | undefined): Described {
  const codes = known.map(({ code }) => code)
  const retries = known.some(({ status }) => status === 429 || status === 503)
  const ofCode = { properties: { status_code: { enum: codes } } }
  return {
    description: known.map(({ code, cause, remedy }) => `\`${code}\`: ${cause} ${remedy}`).join('\n\n'),
    ...(retries && { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }),
    content: pageType ? { [pageType]: {} } : { 'application/json': { schema: { allOf: [errorBody, ofCode] } } },
    'x-errors': Object.fromEntries(known.map(({ code, status, cause, remedy }) => [code, { status, cause, remedy }])),
  }
}
