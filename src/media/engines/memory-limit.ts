/** Thrown when a decoder needs more memory than it may take: the container has more. */
export class MemoryExceeded extends Error {
  override name = 'MemoryExceeded'
}

/**
 * Refuses to let a WebAssembly module's memory grow past a number of bytes. The module's allocations fail from there on.
 * Returns whether an allocation was refused since the last call.
 */
export function limitMemory(memory: WebAssembly.Memory, maxBytes: number): () => boolean {
  let wasRefused = false
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * wasmPageBytes > maxBytes) {
      wasRefused = true
      throw new RangeError('The memory limit is reached')
    }
    return grow(pages)
  }
  return () => {
    const was = wasRefused
    wasRefused = false
    return was
  }
}

const wasmPageBytes = 64 * 1024
