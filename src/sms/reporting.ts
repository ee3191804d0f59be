import { open } from '#core/db/open'
import { baseUrl } from '#core/http/base'
import type { UnvalidatedRequest } from '#core/http/declaration'
import type { Env } from './bindings.ts'
import { ProviderCode } from './contract.ts'
import { failure, missing } from './errors.ts'
import { type Provider, providerOf } from './providers.ts'
import { ownUrlOf } from './receipt-url.ts'
import { takeReceipt } from './receipts.ts'
import { schema } from './schema.ts'

/** Lets a provider pass with its own proof. A wrong one is refused; where none is configured ordinary access applies. */
export async function isProvider(asked: UnvalidatedRequest<Env>): Promise<boolean> {
  const reporter = reporterOf(asked)
  const isProven = await reporter?.driver.isProven?.(reporter.account, publicly(asked))
  if (isProven === false)
    throw failure('unauthorized', 'The signature or the secret of the provider is missing or wrong.')
  return isProven ?? false
}

/**
 * Takes what a provider reports of a message. What is no receipt is let be, so that it is not sent again; 404 unless the
 * path names a provider that can report.
 */
export async function takeReport(asked: UnvalidatedRequest<Env>): Promise<void> {
  const reporter = reporterOf(asked)
  if (!reporter) throw missing('provider')
  const receipt = reporter.driver.readReceipt?.(reporter.account, publicly(asked))
  if (receipt) await takeReceipt(open(asked.env, schema), reporter.code, receipt, new Date())
}

/** The provider that the path names, where it can report. */
function reporterOf({ env, url }: UnvalidatedRequest<Env>): Provider | undefined {
  const code = ProviderCode.safeParse(lastOf(url))
  const provider = code.success ? providerOf(env, code.data) : undefined
  return provider && 'account' in provider && provider.driver.readReceipt ? provider : undefined
}

const lastOf = ({ pathname }: URL) => pathname.split('/').at(-1)

/** What is asked under the URL that the provider knows, of which its proof may be made. */
function publicly(asked: UnvalidatedRequest<Env>): UnvalidatedRequest<Env> {
  const { env, request, url } = asked
  const base = ownUrlOf(env, baseUrl(env, 'sms', request))
  return { ...asked, url: new URL(`${base}/receipt/${lastOf(url)}${url.search}`) }
}
