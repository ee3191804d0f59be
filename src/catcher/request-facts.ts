// The parts of a request that stubs and verifications compare, each parsed when it is first needed.
import { isDeeper } from '#core/http/json'
import { valuesIn } from '#core/template/values'
import type { ReceivedRequest } from './received-request.ts'
import { textOf } from './request-view.ts'

const maxJsonDepth = 100

/** A received request with its query, headers and JSON, parsed on demand. */
export class RequestFacts {
  readonly request: ReceivedRequest
  #query: URLSearchParams | undefined
  #headers: Record<string, string> | undefined
  #json: { value: unknown } | undefined

  constructor(request: ReceivedRequest) {
    this.request = request
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.request.query)
    return this.#query
  }

  get headers(): Record<string, string> {
    this.#headers ??= JSON.parse(this.request.headers) as Record<string, string>
    return this.#headers
  }

  /** The body as JSON; an integer that a double cannot hold is a string of its digits. Undefined if the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: jsonOf(this.request) }
    return this.#json.value
  }
}

function jsonOf({ body, body_size }: ReceivedRequest): unknown {
  const text = body_size === body.length ? textOf(body, false) : undefined
  try {
    const value: unknown = text ? valuesIn(text.replace(/^\ufeff/, '')) : undefined
    return isDeeper(value, maxJsonDepth) ? undefined : value
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
