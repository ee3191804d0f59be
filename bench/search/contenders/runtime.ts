// Measures the memory of the runtime in which our search runs.
import { childrenOf, memoryOf } from '../../../scripts/lib/processes.ts'

/** Returns a function that returns the memory in bytes of the runtime that this process starts next. */
export function runtimeMemory(): () => number {
  const others = new Set(runtimes())
  return () => memoryOf(runtimes().find((pid) => !others.has(pid))!).now
}

const runtimes = () => childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))
