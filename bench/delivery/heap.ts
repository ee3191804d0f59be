// Reads the heap size of a Worker from the runtime's inspector (Chrome DevTools Protocol, Runtime.getHeapUsage).
import { once } from 'node:events'
import { host } from '../../scripts/stack/port.ts'

/** Sizes of the heap and of the buffers outside of it in bytes, including garbage that is not collected yet. */
interface Usage {
  totalSize: number
  embedderHeapUsedSize: number
  backingStorageSize: number
}

export interface Heap {
  /** Heap size in bytes of the isolate, which contains the Worker's objects too. */
  size(): Promise<number>
  close(): void
}

export async function heapOf(inspector: number, worker: string): Promise<Heap> {
  const socket = new WebSocket(`ws://${host}:${inspector}/core:user:${worker}`)
  await once(socket, 'open')
  return {
    size: async () => {
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }))
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
      const { totalSize, embedderHeapUsedSize, backingStorageSize } = (JSON.parse(data) as { result: Usage }).result
      return totalSize + embedderHeapUsedSize + backingStorageSize
    },
    close: () => socket.close(),
  }
}
