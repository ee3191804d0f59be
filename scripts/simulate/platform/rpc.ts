// Stubs of simulated durable objects, by which other processes call them.
import { type EventLoop, type Process, running } from './event-loop.ts'
import type { SimulatedObject } from './object.ts'

/** A stub of an object. The calls of one process arrive in their order, and leave after the process's writes are durable. */
export function stubOf(object: SimulatedObject, { loop, latency }: { loop: EventLoop; latency(): number }): object {
  const arrivals = new WeakMap<Process, number>()
  const delayOf = (caller: Process | undefined) => {
    const at = loop.elapsed + latency()
    if (!caller) return at - loop.elapsed
    const inOrder = Math.max(at, arrivals.get(caller) ?? 0)
    arrivals.set(caller, inOrder)
    return inOrder - loop.elapsed
  }
  const call = (name: string, args: unknown[]) => {
    const caller = running.getStore()
    return new Promise((resolve, reject) => {
      const send = () => {
        const act = (instance: object) => (instance as Record<string, (...args: unknown[]) => unknown>)[name]!(...args)
        object.callAfter(delayOf(caller), act).then(resolve, reject)
      }
      if (caller) caller.output(send)
      else send()
    })
  }
  // A stub is no promise: without `then`, `await` returns it.
  return new Proxy(
    {},
    { get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)) },
  )
}
