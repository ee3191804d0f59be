// Limits the memory of a WebAssembly decoder, so that a crafted file cannot exhaust the memory of the Worker.

/**
 * Thrown when a decoder needs more memory than the Worker can give. engine-choice.ts then repeats the operation in the container.
 */
export class MemoryExceeded extends Error {
  override name = 'MemoryExceeded'
}

/**
 * Limits the memory of a WebAssembly module to `maxBytes`: further allocations of the module then fail. Returns a function that
 * reports whether an allocation has failed since its last call, to tell a lack of memory from a broken file.
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
