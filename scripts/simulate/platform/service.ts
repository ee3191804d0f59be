// Calls between two Workers of a simulation, by RPC: arguments are copied, and functions among them call back.
import type { EventLoop } from './event-loop.ts'
import { Process, running } from './event-loop.ts'
import { ConnectionLost } from './object.ts'

interface Link {
  loop: EventLoop
  /** Milliseconds of a message between two processes. */
  latency(): number
  /** Milliseconds after which the invocation crashes; undefined if it does not. */
  lossDelay(): number | undefined
  /** Called when an invocation crashes before its end. */
  onLoss(): void
  /** Whether the invocation ends when its caller crashes. */
  endsWithCaller(): boolean
}

type Method = (...args: unknown[]) => Promise<unknown>

/** A service binding for a process: each call is one invocation, in a separate process. */
export function serviceFor(caller: Process, link: Link, construct: () => object): object {
  const call = (name: string, args: unknown[]) => {
    const invocation = new Process()
    if (link.endsWithCaller()) caller.children.push(invocation)
    return new Promise((resolve, reject) => {
      const toCaller = (settle: () => void) => void link.loop.schedule(link.latency(), settle, caller)
      let isOver = false
      const run = async () => {
        try {
          const instance = construct() as Record<string, Method>
          const result = await instance[name]!(...args.map((arg) => passed(link, caller, arg)))
          isOver = true
          toCaller(() => resolve(result))
        } catch (error) {
          isOver = true
          toCaller(() => reject(error))
        }
      }
      caller.output(() => link.loop.schedule(link.latency(), () => void running.run(invocation, run), invocation))
      const lossDelay = link.lossDelay()
      if (lossDelay === undefined) return
      link.loop.schedule(lossDelay, () => {
        if (isOver || invocation.isDead) return
        invocation.kill()
        link.onLoss()
        toCaller(() => reject(new ConnectionLost()))
      })
    })
  }
  return new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          call(String(name), args),
    },
  )
}

/** An argument as the invocation gets it. A call of a function runs in the caller, and fails if the caller has crashed. */
function passed({ loop, latency }: Link, caller: Process, value: unknown): unknown {
  if (typeof value !== 'function') return structuredClone(value)
  return (...args: unknown[]) => {
    const invocation = running.getStore()
    return new Promise((resolve, reject) => {
      const back = (settle: () => void) => void loop.schedule(latency(), settle, invocation)
      loop.schedule(latency(), () => {
        if (caller.isDead) return back(() => reject(new ConnectionLost()))
        running.run(caller, async () => {
          const result: unknown = await value(...args)
          back(() => resolve(result))
        })
      })
    })
  }
}
