// Audit log: buffers a row for each audited call of this isolate, and sends the rows to `access` in numbered batches.
import { waitUntil } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import { memoizeWeak } from '#core/memoize'
import { counter } from '#core/metrics/families'
import {
  type AccessBinding,
  type AccessService,
  type AuditBatch,
  type AuditRow,
  accessServiceOf,
} from './access-service.ts'
import type { Protected } from './authorize.ts'
import type { Credential } from './credential.ts'

/** Variables and bindings of the audit log. */
export interface AuditEnv extends AccessBinding {
  /** `off`, `manage` (calls of the level manage, and deletions) or `write` (also all writes). Default: `manage`. */
  AUDIT?: string
}

/** Whether calls of an endpoint belong in the audit log. */
export function isAudited(
  { AUDIT }: AuditEnv,
  { open, level = 'manage', method }: Pick<Protected, 'level'> & { open?: true; method: string },
): boolean {
  if (open || AUDIT === 'off') return false
  return method === 'delete' || level === 'manage' || (AUDIT === 'write' && level !== 'read')
}

/** Key of a row: the id of a key, `root`, `none`, or `service:` and the name of the calling component. */
export const auditKeyOf = ({ kind, id }: Credential): string => (kind === 'service' ? `service:${id}` : (id ?? kind))

/**
 * Adds a row to the audit log of a component. Returns at once and never throws: the row is sent within about a second. Without the
 * binding `ACCESS`, and with `AUDIT=off`, nothing is recorded.
 */
export function recordAudit(env: AuditEnv, component: string, row: AuditRow): void {
  const service = accessServiceOf(env)
  if (service && env.AUDIT !== 'off') bufferOf(service, component).add(row)
}

/** The buffers of components by their names. */
const buffersOf = memoizeWeak((_: AccessService) => new Map<string, AuditBuffer>())

function bufferOf(service: AccessService, component: string): AuditBuffer {
  const ofComponents = buffersOf(service)
  const buffer = ofComponents.get(component) ?? new AuditBuffer(service, component)
  ofComponents.set(component, buffer)
  return buffer
}

/** Number of rows that are sent without waiting. */
const maxRows = 100

const flushIntervalMs = 1_000

/** Batches that wait while `access` does not answer. Older ones are dropped, which the log shows as gaps. */
const maxBatches = 100

/** Workers cancel work that is pending 30 s after the reply. Work older than this was cancelled, and is started again. */
const maxWorkMs = 30_000

const maxRetries = 4
const firstRetryDelayMs = 1_000

const countRows = counter(
  'quartermaster_audit_rows_total',
  'Rows of the audit log, by outcome: recorded, and of these stored by access or dropped.',
)

/** The rows of one component in this isolate that `access` has not confirmed. */
class AuditBuffer {
  readonly #service: AccessService
  readonly #component: string
  #rows: AuditRow[] = []
  /** Numbered batches, oldest first. */
  #batches: AuditBatch[] = []
  #last = { sender: '', date: '', number: 0 }
  #waitingSince = Number.NEGATIVE_INFINITY
  #sendingSince = Number.NEGATIVE_INFINITY

  constructor(service: AccessService, component: string) {
    this.#service = service
    this.#component = component
  }

  add(row: AuditRow): void {
    const [first] = this.#rows
    if (first && dateOf(first) !== dateOf(row)) this.#closeBatch()
    this.#rows.push(row)
    countRows({ outcome: 'recorded' })
    if (this.#rows.length >= maxRows) {
      this.#closeBatch()
      waitUntil(this.#send())
    } else this.#scheduleFlush()
  }

  /** Numbers the collected rows. Each day has an object with its own numbers, so a new day begins with a new sender. */
  #closeBatch(): void {
    const [first] = this.#rows
    if (!first) return
    const date = dateOf(first)
    if (this.#last.date !== date) this.#last = { sender: crypto.randomUUID(), date, number: 0 }
    this.#last.number++
    this.#batches.push({ ...this.#last, rows: this.#rows })
    this.#rows = []
    if (this.#batches.length <= maxBatches) return
    const dropped = this.#batches.shift()!
    countRows({ outcome: 'dropped' }, dropped.rows.length)
    log('error', { component: this.#component, route: 'audit', error: 'A batch of the audit log was dropped.' })
  }

  #scheduleFlush(): void {
    if (Date.now() - this.#waitingSince < maxWorkMs) return
    const began = Date.now()
    this.#waitingSince = began
    waitUntil(
      scheduler.wait(flushIntervalMs).then(() => {
        if (this.#waitingSince === began) this.#waitingSince = Number.NEGATIVE_INFINITY
        this.#closeBatch()
        return this.#send()
      }),
    )
  }

  /** Sends batches until none is left. After some failures the rest waits for the next row. */
  async #send(): Promise<void> {
    if (Date.now() - this.#sendingSince < maxWorkMs) return
    const began = Date.now()
    this.#sendingSince = began
    try {
      for (let batch = this.#batches[0]; batch; batch = this.#batches[0]) {
        await this.#sendOne(batch)
        countRows({ outcome: 'stored' }, batch.rows.length)
        this.#batches = this.#batches.filter((other) => other !== batch)
      }
    } catch (error) {
      log('error', { component: this.#component, route: 'audit', ...describe(error) })
    } finally {
      if (this.#sendingSince === began) this.#sendingSince = Number.NEGATIVE_INFINITY
    }
  }

  async #sendOne(batch: AuditBatch): Promise<void> {
    for (let retry = 0; ; retry++) {
      try {
        const numbered = this.#batches.findLast(({ sender }) => sender === batch.sender)?.number ?? batch.number
        return await this.#service.recordAudit(this.#component, { ...batch, numbered })
      } catch (error) {
        if (retry >= maxRetries) throw error
        await scheduler.wait(firstRetryDelayMs * 2 ** retry)
      }
    }
  }
}

const dateOf = ({ at }: AuditRow): string => new Date(at).toISOString().slice(0, 10)
