// What a Worker holds, as the runtime's inspector tells it (Chrome DevTools Protocol, Runtime.getHeapUsage).
import { once } from 'node:events'
import { host } from '../../scripts/stack/port.ts'

/** In bytes: what is taken for values, and buffers outside of it. Garbage counts until it is collected. */
interface Usage {
  totalSize: number
  embedderHeapUsedSize: number
  backingStorageSize: number
}

export interface Heap {
  /** Bytes of the isolate, in which the Worker's objects are too. */
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
