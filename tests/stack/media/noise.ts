// Random-looking bytes for uploads in tests, which do not compress and are the same at each call.
import { createCipheriv } from 'node:crypto'

const key = Buffer.alloc(16, 'noise')

/** Returns this number of bytes. */
export const noise = (size: number): Buffer<ArrayBuffer> =>
  Buffer.from(createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)))
