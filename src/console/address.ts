/**
 * The address at which other programs reach a component. On the console's own host only the console may call components, so this is the
 * component's host in a deployment, and `localhost` on a local start, since servers may not resolve `*.localhost`.
 */
export function addressOf(component: string): string {
  const { origin, protocol, host, hostname } = location
  if (hostname === 'console.localhost') return `${protocol}//${host.replace('console.', '')}/${component}`
  return /^console[.-]/.test(host) ? `${protocol}//${host.replace('console', component)}` : `${origin}/${component}`
}
