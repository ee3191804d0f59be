// Parses the HTTP header Range of a download. headers/byte-range.ts slices bytes instead.

/** A range of `length` bytes from `offset`. */
export interface ByteRange {
  offset: number
  length: number
}

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, section 14.2). Returns undefined, which means the whole file, without
 * a header, for several ranges, and for an invalid header.
 */
export function parseRangeHeader(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return size === 0 || Number(last) === 0 ? 'unsatisfiable' : suffix(size, Number(last))
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) return 'unsatisfiable'
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return { offset: Number(first), length: end - Number(first) }
}

function suffix(size: number, requested: number): ByteRange {
  const length = Math.min(requested, size)
  return { offset: size - length, length }
}
