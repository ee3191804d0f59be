// Bytes that do not repeat, the same ones at each call.
import { createCipheriv } from 'node:crypto'

const key = Buffer.alloc(16, 'noise')

/** So many of them. */
export const noise = (size: number): Buffer<ArrayBuffer> =>
  Buffer.from(createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)))
