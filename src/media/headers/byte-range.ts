/** Some of the bytes that a view is of; like the view's own getters it throws a RangeError where they are not all there. */
export function part({ buffer, byteOffset, byteLength }: DataView, start: number, end: number): Uint8Array {
  if (end > byteLength) throw new RangeError()
  return new Uint8Array(buffer, byteOffset + start, end - start)
}
