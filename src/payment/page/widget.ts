// Configuration of the widget (the processor's card form) for the card page, from the environment variables.
import { notConfigured } from '#core/failure'
import type { Env } from '../bindings.ts'

/** Configuration of the processor's card form. */
export interface Widget {
  /** The merchant's public id at the processor. */
  publicId: string
  /** URL of the widget's script; undefined for the simulated widget of a local start. */
  url: URL | undefined
  processor: string
  /** CSP sources that the widget needs in addition to the origin of its script. */
  hosts: string[]
}

const defaultWidgetUrl = 'https://widget.cloudpayments.ru/bundles/cloudpayments.js'

/** Names of processors for the payer, and their other hosts, by the origin of their widget. */
const processors: Record<string, { name: string; hosts: string[] }> = {
  'https://widget.cloudpayments.ru': { name: 'CloudPayments', hosts: ['https://*.cloudpayments.ru'] },
  'https://widget.tiptoppay.kz': { name: 'TipTop Pay', hosts: ['https://*.tiptoppay.kz'] },
}

/** The widget of the configuration; the simulated one on a local start without PAYMENT_PUBLIC_ID. Throws 503 if not configured. */
export function widgetOf(env: Env): Widget {
  const publicId = env.PAYMENT_PUBLIC_ID
  if (!publicId && env.LOCAL === 'true' && !env.PAYMENT_WIDGET_URL)
    return { publicId: 'pk_local', url: undefined, processor: 'CloudPayments', hosts: [] }
  if (!publicId) throw notConfigured("Set PAYMENT_PUBLIC_ID to the merchant's public id at the payment processor.")
  const url = scriptUrl(env)
  const { name, hosts } = processors[url.origin] ?? { name: url.host, hosts: [] }
  return { publicId, url, processor: name, hosts: [...hosts, ...configuredHosts(env)] }
}

/** Requires HTTPS, because an attacker who changes the script in transit can read the card data. */
function scriptUrl({ PAYMENT_WIDGET_URL, LOCAL }: Env): URL {
  const url = URL.parse(PAYMENT_WIDGET_URL || defaultWidgetUrl)
  const schemes = LOCAL === 'true' ? ['https:', 'http:'] : ['https:']
  if (url && schemes.includes(url.protocol)) return url
  throw notConfigured('PAYMENT_WIDGET_URL must be an https URL.')
}

function configuredHosts({ PAYMENT_WIDGET_HOSTS = '' }: Env): string[] {
  const hosts = PAYMENT_WIDGET_HOSTS.split(',').flatMap((host) => host.trim() || [])
  // The hosts become part of the Content-Security-Policy header, in which a space or semicolon could add other sources or directives.
  if (hosts.every((host) => /^https:\/\/(\*\.)?[\w.-]+(:\d+)?$/.test(host))) return hosts
  throw notConfigured('PAYMENT_WIDGET_HOSTS must be a comma-separated list of origins such as https://*.example.com.')
}
