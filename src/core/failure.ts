// The exception class for errors that callers see, and `defineErrors`, which declares the error codes of a component.
import { type CoreErrorCode, coreErrors, type ErrorDefinition, type ErrorStatus } from './errors.ts'

interface Details {
  /** Message for each invalid parameter, by name. */
  errors?: Record<string, string>
  /** Data of the reply that helps the caller to handle the error, such as the current version. */
  content?: Record<string, unknown>
  /** Value of the `Retry-After` header: seconds after which a retry makes sense. */
  retryAfter?: number
  headers?: Record<string, string>
  /**
   * Set if the request had no effect although an upstream server failed. Its reply is then not stored for the
   * idempotency key, so that a retry runs again.
   */
  undone?: true
  cause?: unknown
}

/** An error for the caller, with an HTTP status and a code. Any other exception is a bug and becomes a 500. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** The HTTP status. */
  readonly status: ErrorStatus
  /** `status_code` of the reply, for programs to compare. */
  readonly code: string
  readonly errors: Record<string, string> | undefined
  readonly content: Record<string, unknown> | undefined
  readonly headers: Record<string, string>
  readonly undone: true | undefined

  /**
   * Only for core, and for relaying errors of other components. Components call `failure` of their `errors.ts`, where
   * the compiler checks that the code is declared.
   */
  constructor({ code, status }: { code: string; status: ErrorStatus }, message: string, details: Details = {}) {
    const { errors, content, retryAfter, headers, undone, cause } = details
    super(message, { cause })
    this.status = status
    this.code = code
    this.errors = errors
    this.content = content
    this.undone = undone
    this.headers =
      retryAfter === undefined
        ? { ...headers }
        : { ...headers, 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }
  }

  /** Whether an error is a `Failure`. Not `instanceof`: after an RPC call the error has its fields, but not its class. */
  static is(error: unknown): error is Failure {
    return error instanceof Error && error.name === 'Failure' && 'code' in error && 'status' in error
  }
}

/** The object's name in the code of a 404: `badge` of `badge_not_found`. */
type ObjectOf<Code> = Code extends `${infer Name}_not_found` ? Name : never

/**
 * The error codes of a component, each with its HTTP status, cause and remedy. `failure` makes errors with these codes and
 * those of core, `missing` those that end in `_not_found`; any other code is a compile error.
 */
export function defineErrors<const Own extends Record<string, ErrorDefinition>>(own: Own) {
  type Code = CoreErrorCode | (keyof Own & string)
  const all: Record<Code, ErrorDefinition> = { ...coreErrors, ...own }
  const failure = (code: Code, message = all[code].cause, details?: Details) =>
    new Failure({ code, status: all[code].status }, message, details)
  return {
    errors: own,
    failure,
    /**
     * Makes the error 404 `<object>_not_found`. The message shows the key, such as `{ id }`: pass none that is secret
     * or personal.
     */
    missing: (object: ObjectOf<Code>, key?: Key) =>
      failure(`${object}_not_found` as Code, describeMissing(object, key)),
  }
}

/** The parameter that names the missing object, with its value, such as `{ id: 7 }`. */
type Key = Record<string, string | number>

const maxKeyLength = 64

function describeMissing(object: string, key: Key = {}): string {
  const name = object.replaceAll('_', ' ')
  const [field, value = ''] = Object.entries(key)[0] ?? []
  if (field === undefined || String(value).length > maxKeyLength) return `There is no such ${name}.`
  return `No ${name} ${field === 'name' ? 'is named' : `has the ${field}`} ${JSON.stringify(value)}.`
}

/** Makes an error with one of core's codes. */
export const { failure } = defineErrors({})

/**
 * Makes the error 400 `validation_failed` for one parameter. A message that begins with a verb, such as `must be above
 * 0`, gets the name of the parameter in front.
 */
export const invalid = (parameter: string, message: string) => invalidParameters({ [parameter]: message })

const maxMessages = 10
const maxMessageLength = 500

/** Makes the error 400 `validation_failed` with a message for each invalid parameter, by name. */
export function invalidParameters(messages: Record<string, string>): Failure {
  const errors = Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [name, aboutParameter(name, message).slice(0, maxMessageLength)]),
  )
  const message = [...new Set(Object.values(errors))].slice(0, maxMessages).join(' ')
  return failure('validation_failed', message, { errors })
}

/**
 * Verbs with which a message may begin. Such a message has no subject, and `aboutParameter` puts the name of the
 * parameter in front.
 */
const beginsWithVerb = /^(must|is|has|have|needs|may|can|goes|names|begins|ends)\b/i

/**
 * Turns a message into a sentence that names the parameter, since callers read it without seeing which key of `errors`
 * it belongs to.
 */
function aboutParameter(name: string, message: string): string {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`
  if (beginsWithVerb.test(message)) return `${name} ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`
  const isNamed = message.includes(name) || message.includes(`"${name.split('.').at(-1)}"`)
  return isNamed ? sentence : `${name}: ${sentence}`
}

/**
 * Makes the error 503 `not_configured` for an environment variable that is missing or invalid. The message must name
 * the variable.
 */
export const notConfigured = (message: string, cause?: unknown) =>
  failure('not_configured', message, { retryAfter: 60, cause })

/**
 * Definitions of the error codes `<name>_failed` and `<name>_timeout` for `defineErrors`. `peer` and `peerFailed` throw
 * them if a call to that component fails.
 */
export const peerErrors = <const Name extends string>(name: Name) =>
  ({
    [`${name}_failed`]: {
      status: 502,
      cause: `The ${name} component could not be reached, or failed.`,
      remedy: 'Retry later. If it persists, check the health and the log of that component.',
    },
    [`${name}_timeout`]: {
      status: 504,
      cause: `The ${name} component did not answer in time. The call may have taken effect.`,
      remedy: 'Retry with the same `Idempotency-Key` if the operation takes one.',
    },
  }) as Record<`${Name}_failed` | `${Name}_timeout`, ErrorDefinition>
