import { chunksOf } from '#core/chunks'
import { describe, log } from '#core/http/log'
import type { ProviderCode } from './contract.ts'
import { claimMessages, type Entered, windowSize } from './ledger.ts'
import type { ProviderClient } from './provider-client.ts'
import type { SmsStore } from './schema.ts'

/**
 * Claims messages for sending, those of a window together when the first of them is about to begin. Gives the provider
 * that stands with a message from then on, nothing where it must not be sent any more.
 */
export function claims(sms: SmsStore, rows: Entered[], clients: ProviderClient[]) {
  const queued = rows.flatMap(({ id, state }) => (state === 'queued' ? id : []))
  const windows = new Map<number, () => Promise<Claim>>()
  for (const ids of chunksOf(queued, windowSize)) {
    let claimed: Promise<Claim> | undefined
    const claim = () => (claimed ??= claimWindow(sms, ids, clients))
    for (const id of ids) windows.set(id, claim)
  }
  return async ({ id }: Entered): Promise<ProviderCode | undefined> => {
    const window = windows.get(id)
    if (!window) return clients[0]!.provider.code
    const { ids, code } = await window()
    return ids.has(id) ? code : undefined
  }
}

interface Claim {
  ids: Set<number>
  code: ProviderCode
}

async function claimWindow(sms: SmsStore, ids: number[], clients: ProviderClient[]): Promise<Claim> {
  const { code } = (clients.find(({ retryAfterMs }) => retryAfterMs === 0) ?? clients[0]!).provider
  try {
    return { ids: new Set(await claimMessages(sms, ids, code, new Date())), code }
  } catch (error) {
    log('error', { component: 'sms', route: 'ledger', ...describe(error) })
    return { ids: new Set(), code }
  }
}
