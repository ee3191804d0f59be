// The stubs of a space in SQLite: adds and lists them, and finds the one that answers a request.
import type { NewStub, Stub, StubReply } from './contract/stubs.ts'
import { failure } from './errors.ts'
import { patternOf } from './path-pattern.ts'
import type { RequestFacts } from './request-facts.ts'
import { RequestMatcher } from './request-matcher.ts'

/** Limits of a space: number of stubs, and their total size in characters of JSON. */
const maxStubs = 100
const maxStubCharacters = 4_000_000

export const createStubs = `
  CREATE TABLE stubs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    matching TEXT NOT NULL,
    replies TEXT NOT NULL,
    times INTEGER,
    used INTEGER NOT NULL DEFAULT 0,
    is_canned INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO stubs (created_at, priority, matching, replies, times, used, is_canned)
    SELECT set_at, 5, json_patch('{}', json_object('method', method, 'path', path)),
      json_array(json_patch('{}', json_object(
        'status', status, 'headers', json(headers), 'body', body, 'json', json, 'delay', delay, 'slow_ms', 0))),
      times, coalesce(times - remaining, 0), 1
    FROM reply;
  DROP TABLE reply`

/** Adds the URL of stubs that forward requests. */
export const addForward = 'ALTER TABLE stubs ADD COLUMN forward TEXT'

interface StoredStub extends Record<string, SqlStorageValue> {
  id: number
  created_at: number
  priority: number
  matching: string
  replies: string
  forward: string | null
  times: number | null
  used: number
  /** Whether the stub is the canned reply of `PUT /_requests_/reply`: its path is no pattern, and its reply no template. */
  is_canned: number
}

/** A stub in memory, with its conditions compiled. */
interface LoadedStub {
  row: StoredStub
  matcher: RequestMatcher
}

/** What a stub does with a request: it sends a reply, or forwards the request to a URL. */
export type StubAnswer = TemplatedReply | { forward: string }

interface TemplatedReply {
  reply: StubReply
  /** The values of the variables in the stub's path pattern. Unset if the reply is no template. */
  params?: Record<string, string>
}

/** The stubs of one space. All operations are synchronous, so that each request is counted for exactly one reply. */
export class Stubs {
  readonly #sql: SqlStorage
  #loaded: LoadedStub[] | undefined

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Adds a stub and returns its id. Throws 409 `stub_limit` if the space has no room for it. */
  add({ priority, match, replies = [], forward, times }: NewStub, now: number, { isCanned = false } = {}): number {
    const [matching, replyList] = [JSON.stringify(match), JSON.stringify(replies)]
    const stubs = this.#all()
    const characters = stubs.reduce((sum, { row }) => sum + sizeOf(row), sizeOf({ matching, replies: replyList }))
    if (stubs.length >= maxStubs || characters > maxStubCharacters) throw failure('stub_limit')
    const { id } = this.#sql
      .exec<{ id: number }>(
        `INSERT INTO stubs (created_at, priority, matching, replies, forward, times, is_canned)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        ...[now, priority, matching, replyList, forward ?? null, times ?? null, Number(isCanned)],
      )
      .one()
    this.#loaded = undefined
    return id
  }

  /** All stubs, in the order in which they are tried. */
  list(): Stub[] {
    return this.#all().map(({ row }) => stubOf(row))
  }

  /** The stub that `PUT /_requests_/reply` has set, with its path unchanged. */
  canned(): StoredStub | undefined {
    return this.#all().find(({ row }) => row.is_canned)?.row
  }

  /** Deletes a stub. Returns whether it existed. */
  remove(id: number): boolean {
    this.#loaded = undefined
    return this.#sql.exec('DELETE FROM stubs WHERE id = ?', id).rowsWritten > 0
  }

  clear() {
    this.#loaded = undefined
    this.#sql.exec('DELETE FROM stubs')
  }

  /** Finds the stub that answers a request, and counts the request for it. Undefined if no stub matches. */
  take(facts: RequestFacts): StubAnswer | undefined {
    const found = this.#all().find(({ row, matcher }) => remainingOf(row) !== 0 && matcher.matches(facts))
    if (!found) return undefined
    const { row, matcher } = found
    const at = row.used
    this.#sql.exec('UPDATE stubs SET used = used + 1 WHERE id = ?', row.id)
    row.used++
    if (row.forward !== null) return { forward: row.forward }
    const replies = repliesOf(row)
    const reply = replies[Math.min(at, replies.length - 1)]!
    return row.is_canned ? { reply } : { reply, params: matcher.paramsOf(facts) }
  }

  /** Forgets the stubs in memory, after the storage was deleted. */
  forget() {
    this.#loaded = undefined
  }

  /** Time of the newest stub in milliseconds since 1970; 0 if there is none. */
  newestAt(): number {
    return Math.max(0, ...this.#all().map(({ row }) => row.created_at))
  }

  #all(): LoadedStub[] {
    this.#loaded ??= this.#sql
      .exec<StoredStub>(
        `SELECT id, created_at, priority, matching, replies, forward, times, used, is_canned FROM stubs
         ORDER BY priority DESC, id DESC`,
      )
      .toArray()
      .map((row) => ({
        row,
        matcher: new RequestMatcher(JSON.parse(row.matching), { isLiteral: row.is_canned === 1 }),
      }))
    return this.#loaded
  }
}

const sizeOf = ({ matching, replies }: Pick<StoredStub, 'matching' | 'replies'>) => matching.length + replies.length

export const remainingOf = ({ times, used }: StoredStub) => (times === null ? null : Math.max(0, times - used))

export const repliesOf = ({ replies }: StoredStub) => JSON.parse(replies) as StubReply[]

function stubOf(row: StoredStub): Stub {
  const { id, priority, forward, times, used, matching, is_canned, created_at } = row
  const match = JSON.parse(matching) as Stub['match']
  const hasPath = is_canned && match.path !== undefined
  return {
    ...{ id, priority, forward, times, used, remaining: remainingOf(row), replies: repliesOf(row) },
    match: hasPath ? { ...match, path: patternOf(match.path!) } : match,
    created_at: new Date(created_at),
  }
}
