// Types of the RPC methods of the component `access`, which other components call through their binding `ACCESS`.
// src/access/service.ts implements them.
import type { Bounds } from './credential.ts'

/** What verifies tokens and recognizes ids of keys. A component keeps it for some seconds. */
export interface Trust {
  /** Public keys of the tokens, as JWKs with `kid`. */
  publicKeys: JsonWebKey[]
  /** Ids of deleted keys whose tokens may not have expired yet. */
  revoked: string[]
  /** Secret of the check characters in ids of keys: an id that was made up costs no query. */
  idSecret: string
}

/** A key without its secret. */
export interface StoredKey {
  id: string
  /** SHA-256 of each valid secret in hex: of the current one, and of the previous one during the overlap after a rotation. */
  hashes: { hash: string; until?: number }[]
  scopes: string[]
  bounds: Bounds
  /** Unix time in milliseconds. */
  expires?: number
  requestsPerMinute?: number
}

/** A row of the audit log. It has no content, and no personal values except the address. */
export interface AuditRow {
  /** Unix time in milliseconds. */
  at: number
  /** Id of a key, or `root`, `none`, `proof`, or `service:` and the name of the calling component. */
  key: string
  /** Method and path, such as `DELETE /feed/record`. */
  operation: string
  /** Id of the object, if the call names one. */
  object?: string
  request: string
  status: number
  /** Client address. Absent for calls of other components. */
  address?: string
}

/** Rows of one isolate and one UTC day. */
export interface AuditBatch {
  /** Random id. With `number`, it identifies the batch when it is sent again. */
  sender: string
  /** Counts the batches of a sender from 1, so that a missing number is a gap. */
  number: number
  /** The highest number of the sender when this batch was sent: later batches may wait, and are a gap if they never arrive. */
  numbered?: number
  /** `YYYY-MM-DD`. */
  date: string
  rows: AuditRow[]
}

export interface AccessService {
  readTrust(): Promise<Trust>
  /** `undefined` if there is no such key. */
  findKey(id: string): Promise<StoredKey | undefined>
  /** Stores the current minute as the time of last use. */
  markUsed(id: string): Promise<void>
  /** Takes up to `wanted` requests from the limit of a key for this minute. */
  takeRequests(id: string, perMinute: number, wanted: number): Promise<Allowance>
  /** A token with which the component `caller` calls the component `target`. */
  issueServiceToken(caller: string, target: string): Promise<ServiceToken>
  /** Stores rows of the audit log of a component. A batch that is stored already is ignored. */
  recordAudit(component: string, batch: AuditBatch): Promise<void>
}

/** Requests that an isolate may admit without asking again. */
export interface Allowance {
  granted: number
  /** Unix time in milliseconds at which the allowance ends and the next minute begins. */
  until: number
}

export interface ServiceToken {
  token: string
  /** Unix time in milliseconds. */
  expires: number
}

/** Variables and bindings that find the component `access`. */
export interface AccessBinding {
  /** Service binding of `access`. Without it, only `AUTH_TOKENS` and HTTP Basic are valid. */
  ACCESS?: Fetcher | AccessService
}

/** Time after which a call of `access` fails: no request waits longer for the check of its credentials. */
export const callTimeoutMs = 3_000

/** The result of a call of `access`. Rejects if there is none in time: RPC calls have no timeout. */
export async function inTime<Value>(call: Promise<Value>, timeoutMs = callTimeoutMs): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`access did not answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([call, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** The RPC methods of `access`, or `undefined` if it is not bound. */
export const accessServiceOf = ({ ACCESS }: AccessBinding): AccessService | undefined =>
  ACCESS as AccessService | undefined
