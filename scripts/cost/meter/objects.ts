import { meteredBindings } from './bindings.ts'
import { atWork, counts } from './counts.ts'

type ObjectClass = new (state: DurableObjectState, env: object) => object

/** A durable object's class whose storage, alarms and time at work count. */
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
      value(this: object, ...given: unknown[]) {
        if (name === 'alarm') counts.alarms++
        return work(this, () => Reflect.apply(method, this, given))
      },
    })
  }
  return Metered
}

function methodsOf({ prototype }: ObjectClass): string[] {
  const own = Object.getOwnPropertyDescriptors(prototype)
  return Object.keys(own).filter((name) => name !== 'constructor' && typeof own[name]!.value === 'function')
}

/** Counts the time for which an object does anything, once for all that it does at a time. */
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

/** What is asked of SQLite by key is a row as well, and so is an alarm that is set. */
function meterStorage(storage: DurableObjectStorage) {
  const { sql } = storage
  replace(sql, 'exec', (exec) => (...given) => {
    const cursor = exec(...given) as SqlStorageCursor<Record<string, SqlStorageValue>>
    // By then it is read: what is awaited between rows would be read on by others.
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
        (...given) =>
          counted('object_read', method, given),
    )
  for (const name of writes)
    replace(
      storage,
      name,
      (method) =>
        (...given) =>
          counted('object_written', method, given),
    )
}

function counted(what: 'object_read' | 'object_written', method: Method, given: unknown[]): unknown {
  counts[what]++
  return method(...given)
}

type Method = (...given: unknown[]) => unknown

function replace(target: object, name: string, by: (method: Method) => Method) {
  const method = Reflect.get(target, name) as Method
  Object.defineProperty(target, name, { value: by(method.bind(target)), configurable: true })
}
