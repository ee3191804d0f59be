// Streaming JSON parser for the pages of recipients that a delivery's `data_url` returns, so that a page of 20 MB is never held
// in memory.
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { Failure } from '#core/failure'
import { exactNumber } from '#core/template/values'
import type { Recipient } from './recipients.ts'

/** Maximum number of bytes between two recipients, as these bytes are held in memory until the recipient is complete. */
const maxGapBytes = 1_000_000

/**
 * Maximum nesting of the JSON. For each value the parser visits all levels above it, so deeper JSON would take quadratic time.
 */
const maxDepth = 100

/** Bytes that are parsed at a time: recipients of one such part are in memory together. */
const chunkBytes = 16_384

/** The error of a page that cannot be used. Its `code` is shown as `reason` in the list of pieces. */
export const pageError = (code: string, message: string) => new Failure({ code, status: 502 }, message)

/**
 * Yields the recipients of a page as they arrive: the elements of the array `content` of a JSON object. Throws a `pageError`
 * with `not_json`, `no_content`, `not_objects` or `answer_too_large` if the page is something else.
 */
export async function* recipientsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Recipient> {
  const page = new Page()
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += chunkBytes) {
      page.write(chunk.subarray(at, at + chunkBytes))
      yield* page.take()
    }
  page.end()
}

class Page {
  readonly #tokenizer = new ExactTokenizer()
  readonly #parser = new TokenParser({ paths: ['$.content.*'], keepStack: false })
  readonly #detector = new ContentDetector()
  #recipients: Recipient[] = []
  #gapBytes = 0

  constructor() {
    this.#tokenizer.onToken = (token) => {
      this.#detector.note(token.token, token.value)
      this.#parser.write(token)
    }
    this.#parser.onValue = ({ value, parent }) => {
      if (!Array.isArray(parent)) throw noContent()
      if (!isObject(value))
        throw pageError('not_objects', 'The content of the data_url reply is not an array of objects')
      this.#recipients.push(value)
      this.#gapBytes = 0
    }
    const refuse = (error: Error) => {
      throw Failure.is(error) ? error : notJson()
    }
    this.#tokenizer.onError = refuse
    this.#parser.onError = refuse
    this.#tokenizer.onEnd = () => this.#parser.isEnded || this.#parser.end()
    this.#parser.onEnd = () => this.#tokenizer.isEnded || this.#tokenizer.end()
  }

  write(bytes: Uint8Array) {
    this.#gapBytes += bytes.length
    this.#tokenizer.write(bytes)
    if (this.#gapBytes > maxGapBytes)
      throw pageError(
        'answer_too_large',
        `The data_url reply has more than ${maxGapBytes} bytes between two recipients`,
      )
  }

  take(): Recipient[] {
    return this.#recipients.splice(0)
  }

  end() {
    if (!this.#tokenizer.isEnded || !this.#parser.isEnded) this.#tokenizer.end()
    if (!this.#detector.hasContent) throw noContent()
  }
}

/** Tokenizer that keeps an integer above 2^53 as a string of its digits. Rounding would change order and account numbers. */
class ExactTokenizer extends Tokenizer {
  // The base class declares the type `number`, but the parser accepts any value.
  protected override parseNumber(source: string): number {
    return exactNumber(source) as number
  }
}

const isObject = (value: unknown): value is Recipient =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const noContent = () => pageError('no_content', 'The data_url reply has no array "content"')
// The error has no `cause`: the parser's message quotes the reply, and logs must not contain personal data.
const notJson = () => pageError('not_json', 'The data_url reply is not JSON')

const opens: number[] = [TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]
const closes: number[] = [TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]

/**
 * Detects the array `content` among the tokens. The parser reports only elements, so without this class an empty array and a
 * missing one look alike.
 */
class ContentDetector {
  hasContent = false
  #depth = 0
  #key: unknown

  note(token: number, value: unknown) {
    if (this.#depth === 1 && token === TokenType.LEFT_BRACKET && this.#key === 'content') this.hasContent = true
    if (this.#depth === 1 && token === TokenType.STRING) this.#key = value
    if (this.#depth === 1 && token === TokenType.COMMA) this.#key = undefined
    if (opens.includes(token)) this.#depth++
    if (this.#depth > maxDepth)
      throw pageError('answer_too_large', `The data_url reply is nested more than ${maxDepth} levels deep`)
    if (closes.includes(token)) this.#depth--
  }
}
