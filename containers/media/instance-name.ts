/** The instance that has a request's job, always the same of so many; none for what any can do. */
export function instanceOf(pathname: string, instances: number): string | undefined {
  const [, id] = /^\/jobs\/([^/]+)/.exec(pathname) ?? []
  return id === undefined ? undefined : `instance-${hash(id) % instances}`
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}
