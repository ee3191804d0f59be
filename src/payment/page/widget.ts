import { notConfigured } from '#core/failure'
import type { Env } from '../bindings.ts'

/** The processor's form for the card, as the page opens it. */
export interface Widget {
  /** The merchant's public id at the processor. */
  publicId: string
  /** Its script; none: the stand-in that a local start has. */
  url: URL | undefined
  processor: string
  /** Besides the script's own, where the form may come from and what it may call: CSP sources. */
  hosts: string[]
}

const byDefault = 'https://widget.cloudpayments.ru/bundles/cloudpayments.js'

/** By their widget's origin: as payers know them, and their other hosts. */
const processors: Record<string, { name: string; hosts: string[] }> = {
  'https://widget.cloudpayments.ru': { name: 'CloudPayments', hosts: ['https://*.cloudpayments.ru'] },
  'https://widget.tiptoppay.kz': { name: 'TipTop Pay', hosts: ['https://*.tiptoppay.kz'] },
}

/** The widget by configuration. Refuses what is not configured; a local start without a public id has a stand-in. */
export function widgetOf(env: Env): Widget {
  const publicId = env.PAYMENT_PUBLIC_ID
  if (!publicId && env.LOCAL === 'true' && !env.PAYMENT_WIDGET_URL)
    return { publicId: 'pk_local', url: undefined, processor: 'CloudPayments', hosts: [] }
  if (!publicId) throw notConfigured('Set PAYMENT_PUBLIC_ID')
  const url = scriptUrl(env)
  const { name, hosts } = processors[url.origin] ?? { name: url.host, hosts: [] }
  return { publicId, url, processor: name, hosts: [...hosts, ...furtherHosts(env)] }
}

/** HTTPS, since whoever changes it on its way reads the cards. */
function scriptUrl({ PAYMENT_WIDGET_URL, LOCAL }: Env): URL {
  const url = URL.parse(PAYMENT_WIDGET_URL || byDefault)
  const schemes = LOCAL === 'true' ? ['https:', 'http:'] : ['https:']
  if (url && schemes.includes(url.protocol)) return url
  throw notConfigured('PAYMENT_WIDGET_URL must be an https URL')
}

function furtherHosts({ PAYMENT_WIDGET_HOSTS = '' }: Env): string[] {
  const hosts = PAYMENT_WIDGET_HOSTS.split(',').flatMap((host) => host.trim() || [])
  // They stand in a header: no space, no semicolon.
  if (hosts.every((host) => /^https:\/\/(\*\.)?[\w.-]+(:\d+)?$/.test(host))) return hosts
  throw notConfigured('PAYMENT_WIDGET_HOSTS must be origins such as https://*.example.com, separated by commas')
}
