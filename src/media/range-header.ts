/** Bytes `offset` to `offset + length`, without the latter. */
export interface ByteRange {
  offset: number
  length: number
}

/**
 * What a `Range` header asks of a representation of `size` bytes (RFC 9110, 14.2): a part of it, nothing that can be given, or
 * all of it, which is also the answer to several ranges and to what is no byte range.
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

function suffix(size: number, asked: number): ByteRange {
  const length = Math.min(asked, size)
  return { offset: size - length, length }
}
