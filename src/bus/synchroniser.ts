import { DurableObject } from 'cloudflare:workers'
import type { DatabaseEnv } from '#core/db/open'
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { call } from '#core/outgoing/call'
import { catchUp, type Skipped } from './catching-up.ts'
import { type Instance, LogPage } from './contract.ts'
import type { BusVariables } from './env.ts'
import { administratorOf, instancesOf } from './env.ts'
import { failure } from './errors.ts'
import { prepareInstance } from './prepare.ts'
import { schema } from './schema.ts'

const interval = 3_000
const pageSize = 100
const pageBytes = 20_000_000
const mostShown = 10

type Followed = Omit<Instance, 'url' | 'instance' | 'position' | 'pending'>

const unread: Followed = {
  succeeded_at: null,
  failed_at: null,
  error: null,
  skipped: 0,
  last_skipped: [],
}

/**
 * Reads the log of one other instance every few seconds, and applies what is new in it. One object per instance, so that
 * one that does not answer holds up no other.
 */
export class Synchroniser extends DurableObject<DatabaseEnv & BusVariables> {
  /** Sees that the instance is read from now on. */
  async follow(url: string): Promise<void> {
    this.ctx.storage.kv.put('url', url)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + 1)
  }

  /** How the reading goes. */
  state(): Followed {
    return this.ctx.storage.kv.get<Followed>('followed') ?? unread
  }

  override async alarm() {
    const url = this.ctx.storage.kv.get<string>('url')!
    if (!this.#isConfigured(url)) return
    let pause = interval
    try {
      // No request may have come yet.
      await prepareInstance(this.env)
      const { skipped, isBehind } = await this.#catchUp(url)
      if (isBehind) pause = 1
      this.#keepSkipped(skipped)
      this.#keep({ succeeded_at: new Date(), error: null })
    } catch (error) {
      this.#keep({ failed_at: new Date(), error: reasonOf(error) })
    } finally {
      await this.ctx.storage.setAlarm(Date.now() + pause)
    }
  }

  /** A configuration that cannot be read is as good as none: requests are refused for it. */
  #isConfigured(url: string): boolean {
    try {
      return instancesOf(this.env).includes(url)
    } catch {
      return false
    }
  }

  #keep(what: Partial<Followed>) {
    this.ctx.storage.kv.put('followed', { ...this.state(), ...what } satisfies Followed)
  }

  #keepSkipped(newly: Skipped[]) {
    const { skipped, last_skipped } = this.state()
    for (const one of newly) log('error', { component: 'bus', route: 'synchronisation', ...one })
    this.#keep({
      skipped: skipped + newly.length,
      last_skipped: [...newly.toReversed(), ...last_skipped].slice(0, mostShown),
    })
  }

  #catchUp(url: string) {
    const { name } = administratorOf(this.env)
    return catchUp(open(this.env, schema), this.env, name, url, (after) => this.#page(url, after))
  }

  async #page(url: string, after: number): Promise<LogPage> {
    const { secret } = administratorOf(this.env)
    const query = new URLSearchParams({ collection: 'system', id: String(after), limit: String(pageSize) })
    // The configuration names instances, not a caller: they may be where no caller may lead.
    const answer = await call(
      { ...this.env, ALLOW_PRIVATE_TARGETS: 'true' },
      { method: 'GET', url: `${url}/documents?${query}`, headers: { 'api-secret': secret } },
      { most: pageBytes },
    )
    return pageIn(answer.status, new TextDecoder().decode(answer.body))
  }
}

function pageIn(status: number, text: string): LogPage {
  if (status !== 200) throw failure('upstream_failed', `The instance answered with ${status}`)
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

/** What an administrator may read of it; a bug is in the log. */
function reasonOf(error: unknown): string {
  if (Failure.is(error)) return error.message
  log('error', { component: 'bus', route: 'synchronisation', ...describe(error) })
  return 'Something went wrong; the log has it'
}
