import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { Failure } from '#core/failure'
import { exactNumber } from '#core/template/values'
import type { Recipient } from './recipients.ts'

/** How many bytes may come between one recipient and the next: what may be held at a time. */
const longestStretch = 1_000_000

/** How deep it may be nested: at each value the parser looks at all levels above it. */
const deepest = 100

/** How many bytes are parsed at once. */
const step = 16_384

/** Why a page cannot be used; `code` says it in one word. */
export const badPage = (code: string, message: string) => new Failure({ code, status: 502 }, message)

/**
 * The recipients of a page as they come: the elements of the array `content` of a JSON object. What is no such thing is
 * refused as `not_json`, `no_content`, `not_objects` or `answer_too_large`.
 */
export async function* recipientsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Recipient> {
  const page = new Page()
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += step) {
      page.write(chunk.subarray(at, at + step))
      yield* page.take()
    }
  page.end()
}

class Page {
  readonly #tokenizer = new ExactTokenizer()
  readonly #parser = new TokenParser({ paths: ['$.content.*'], keepStack: false })
  readonly #outline = new Outline()
  #found: Recipient[] = []
  #stretch = 0

  constructor() {
    this.#tokenizer.onToken = (token) => {
      this.#outline.note(token.token, token.value)
      this.#parser.write(token)
    }
    this.#parser.onValue = ({ value, parent }) => {
      if (!Array.isArray(parent)) throw noContent()
      if (!isObject(value)) throw badPage('not_objects', 'The content of data_url is no array of objects')
      this.#found.push(value)
      this.#stretch = 0
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
    this.#stretch += bytes.length
    this.#tokenizer.write(bytes)
    if (this.#stretch > longestStretch)
      throw badPage('answer_too_large', `There are more than ${longestStretch} bytes between two recipients`)
  }

  take(): Recipient[] {
    return this.#found.splice(0)
  }

  end() {
    if (!this.#tokenizer.isEnded || !this.#parser.isEnded) this.#tokenizer.end()
    if (!this.#outline.hasContent) throw noContent()
  }
}

/** Gives integers that a double cannot hold as their digits: they are numbers of orders, or of accounts. */
class ExactTokenizer extends Tokenizer {
  // What it says of its type is narrower than what it takes.
  protected override parseNumber(source: string): number {
    return exactNumber(source) as number
  }
}

const isObject = (value: unknown): value is Recipient =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const noContent = () => badPage('no_content', 'The answer of data_url has no array "content"')
// Without its cause, which has words of the answer.
const notJson = () => badPage('not_json', 'The answer of data_url is not JSON')

const opens: number[] = [TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]
const closes: number[] = [TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]

/** Knows whether an array stands under `content`, which an empty one does not tell otherwise. */
class Outline {
  hasContent = false
  #depth = 0
  #key: unknown

  note(token: number, value: unknown) {
    if (this.#depth === 1 && token === TokenType.LEFT_BRACKET && this.#key === 'content') this.hasContent = true
    if (this.#depth === 1 && token === TokenType.STRING) this.#key = value
    if (this.#depth === 1 && token === TokenType.COMMA) this.#key = undefined
    if (opens.includes(token)) this.#depth++
    if (this.#depth > deepest) throw badPage('answer_too_large', `It is nested more than ${deepest} levels deep`)
    if (closes.includes(token)) this.#depth--
  }
}
