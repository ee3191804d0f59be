// Slices a DataView with a check of its end, for the readers of image headers. For the HTTP header Range see range-header.ts.

/**
 * Returns the bytes of a view from `start` to `end`. Throws a RangeError past the end, as the getters of a DataView do, which means
 * a truncated file.
 */
export function part({ buffer, byteOffset, byteLength }: DataView, start: number, end: number): Uint8Array {
  if (end > byteLength) throw new RangeError()
  return new Uint8Array(buffer, byteOffset + start, end - start)
}
