import { meteredBindings } from './bindings.ts'
import { atWork, counts } from './counts.ts'

type ObjectClass = new (state: DurableObjectState, env: object) => object

/** Wraps the class of a durable object in a meter, so that its storage, alarms and active time are counted. */
export function meteredObject(Base: ObjectClass): ObjectClass {
  const Metered = class extends Base {
    constructor(state: DurableObjectState, env: object) {
      meterStorage(state.storage)
      super(state, meteredBindings(env))
    }
  }
  const work = workOf()
  for (const name of methodsOf(Base)) {
    const method: unknown = Reflect.get(Base.prototype, name)
    if (typeof method !== 'function') continue
    Object.defineProperty(Metered.prototype, name, {
      value(this: object, ...values: unknown[]) {
        if (name === 'alarm') counts.alarms++
        return work(this, () => Reflect.apply(method, this, values))
      },
    })
  }
  return Metered
}

function methodsOf({ prototype }: ObjectClass): string[] {
  const own = Object.getOwnPropertyDescriptors(prototype)
  return Object.keys(own).filter((name) => name !== 'constructor' && typeof own[name]!.value === 'function')
}

/**
 * Returns a function that runs a method of an object and counts the object's active time. Concurrent calls count once.
 */
function workOf() {
  const open = new WeakMap<object, { count: number; since: number }>()
  return (object: object, act: () => unknown): unknown => {
    const now = open.get(object) ?? { count: 0, since: 0 }
    open.set(object, now)
    if (now.count++ === 0) now.since = Date.now()
    const end = () => {
      if (--now.count === 0) counts.object_ms += Date.now() - now.since
    }
    let result: unknown
    try {
      result = act()
    } catch (error) {
      end()
      throw error
    }
    if (result instanceof Promise) atWork(() => result).then(end, end)
    else end()
    return result
  }
}

/**
 * Replaces the storage methods of an object by counting ones. Each key-value read or write counts as a row, and so does
 * setting an alarm.
 */
function meterStorage(storage: DurableObjectStorage) {
  const { sql } = storage
  replace(sql, 'exec', (exec) => (...values) => {
    const cursor = exec(...values) as SqlStorageCursor<Record<string, SqlStorageValue>>
    // Reads the counts in a microtask, when the caller has consumed the cursor: after an await, rows of other
    // statements would count too.
    queueMicrotask(() => {
      counts.object_read += cursor.rowsRead
      counts.object_written += cursor.rowsWritten
    })
    return cursor
  })
  const reads = ['get', 'list'] as const
  const writes = ['put', 'delete', 'setAlarm'] as const
  for (const name of reads)
    replace(
      storage,
      name,
      (method) =>
        (...values) =>
          counted('object_read', method, values),
    )
  for (const name of writes)
    replace(
      storage,
      name,
      (method) =>
        (...values) =>
          counted('object_written', method, values),
    )
}

function counted(what: 'object_read' | 'object_written', method: Method, values: unknown[]): unknown {
  counts[what]++
  return method(...values)
}

type Method = (...values: unknown[]) => unknown

function replace(target: object, name: string, by: (method: Method) => Method) {
  const method = Reflect.get(target, name) as Method
  Object.defineProperty(target, name, { value: by(method.bind(target)), configurable: true })
}
