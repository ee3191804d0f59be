/**
 * Name of the container instance for a request. A hash of the job's id chooses it, so that all requests of a job go to
 * the same instance. Returns undefined for a request that any instance can handle.
 */
export function instanceOf(pathname: string, instances: number): string | undefined {
  const [, id] = /^\/jobs\/([^/]+)/.exec(pathname) ?? []
  return id === undefined ? undefined : `instance-${hash(id) % instances}`
}

/** FNV-1a hash of a text, 32 bits, to spread jobs over the instances. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}
