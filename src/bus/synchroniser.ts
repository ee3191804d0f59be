// Durable object that polls the replication log of one other instance every few seconds.
import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { call } from '#core/outgoing/call'
import { prepareInstance } from './administrator.ts'
import { type Instance, LogPage } from './contract/replication.ts'
import type { BusVariables } from './env.ts'
import { administratorOf, instancesOf } from './env.ts'
import { failure } from './errors.ts'
import { replicate, type Skipped } from './replication.ts'
import { schema } from './schema.ts'

const pollIntervalMs = 3_000
const pageSize = 100
const maxPageBytes = 20_000_000
const maxShownSkips = 10

type ReplicationState = Omit<Instance, 'url' | 'instance' | 'position' | 'pending'>

const initialState: ReplicationState = {
  succeeded_at: null,
  failed_at: null,
  error: null,
  skipped: 0,
  last_skipped: [],
}

/**
 * Polls the log of one other instance and applies its new changes. Each other instance has a separate object, so that an instance
 * that does not answer does not delay the others.
 */
export class Synchroniser extends DurableObject<DatabaseEnv & BusVariables> {
  /** Starts polling the instance, unless an alarm is set already. Called before each request and every minute. */
  async follow(url: string): Promise<void> {
    this.ctx.storage.kv.put('url', url)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  /** The stored results of polling, for `GET /synchronisation`. */
  state(): ReplicationState {
    return this.ctx.storage.kv.get<ReplicationState>('followed') ?? initialState
  }

  override async alarm() {
    const url = this.ctx.storage.kv.get<string>('url')!
    if (!this.#isConfigured(url)) return
    let pauseMs = pollIntervalMs
    try {
      // The first request sets up the name and the administrator of this instance, but this alarm may run before it.
      await prepareInstance(this.env)
      const { skipped, isBehind } = await this.#replicate(url)
      if (isBehind) pauseMs = 1
      this.#recordSkipped(skipped)
      this.#save({ succeeded_at: new Date(), error: null })
    } catch (error) {
      this.#save({ failed_at: new Date(), error: reasonOf(error) })
    } finally {
      await this.ctx.storage.setAlarm(Date.now() + pauseMs)
    }
  }

  /** Whether the configuration still has the instance. An invalid configuration stops polling too; requests then get 503. */
  #isConfigured(url: string): boolean {
    try {
      return instancesOf(this.env).includes(url)
    } catch {
      return false
    }
  }

  #save(changes: Partial<ReplicationState>) {
    this.ctx.storage.kv.put('followed', { ...this.state(), ...changes } satisfies ReplicationState)
  }

  #recordSkipped(newly: Skipped[]) {
    const { skipped, last_skipped } = this.state()
    for (const one of newly) log('error', { component: 'bus', route: 'synchronisation', ...one })
    this.#save({
      skipped: skipped + newly.length,
      last_skipped: [...newly.toReversed(), ...last_skipped].slice(0, maxShownSkips),
    })
  }

  #replicate(url: string) {
    const { name } = administratorOf(this.env)
    return replicate(open(this.env, schema), this.env, name, url, (after) => this.#page(url, after))
  }

  async #page(url: string, after: number): Promise<LogPage> {
    const { secret } = administratorOf(this.env)
    const query = new URLSearchParams({ collection: 'system', id: String(after), limit: String(pageSize) })
    // Instances come from the configuration, not from a caller, so private addresses are allowed.
    const answer = await call(
      { ...this.env, ALLOW_PRIVATE_TARGETS: 'true' },
      { method: 'GET', url: `${url}/documents?${query}`, headers: { 'api-secret': secret } },
      { most: maxPageBytes },
    )
    return pageIn(answer.status, new TextDecoder().decode(answer.body))
  }
}

function pageIn(status: number, text: string): LogPage {
  if (status !== 200) throw failure('upstream_failed', `The instance answered with status ${status}`)
  const page = LogPage.safeParse((parsed(text) as { content?: unknown } | undefined)?.content)
  if (!page.success) throw failure('upstream_failed', 'The instance did not answer with a replication log')
  return page.data
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The message that administrators see. Unexpected errors are only logged. */
function reasonOf(error: unknown): string {
  if (Failure.is(error)) return error.message
  log('error', { component: 'bus', route: 'synchronisation', ...describe(error) })
  return 'Internal error. The log of the bus has the details.'
}
