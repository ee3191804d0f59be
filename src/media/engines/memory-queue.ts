import { unavailable } from '../container.ts'

/**
 * Does work that holds a number of bytes when those who came before leave room for them in this isolate's memory; 503
 * where that takes too long. It is all in one place, without promises of other requests: one that was cut off before it
 * could leave the line loses its place, so that nobody waits for it for ever.
 */
export async function inTurn<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const place = { bytes, until: 0 }
  line.push(place)
  try {
    await reach(place)
    return await work()
  } finally {
    leave(place)
  }
}

/** Bytes that are held at once, unless by one alone. */
export const maxHeldBytes = 16 * 1024 * 1024

interface Place {
  bytes: number
  /** When it is lost unless its owner has been there again. */
  until: number
}

const line: Place[] = []

/** Milliseconds. */
const step = 10
const waiting = { lease: 2000, patience: 20_000 }
const working = { lease: 30_000 }

async function reach(place: Place): Promise<void> {
  const patience = Date.now() + waiting.patience
  while (!hasRoom(place)) {
    const looked = Date.now()
    if (looked > patience) throw unavailable()
    place.until = looked + waiting.lease
    await scheduler.wait(step)
    // By the time of before: where this isolate stood still meanwhile, all have overslept, and none is lost.
    dropLost(looked)
    if (!line.includes(place)) line.push(place)
  }
  place.until = Date.now() + working.lease
}

/** Those who are behind do not pass: a large one would wait for ever. */
function hasRoom(place: Place): boolean {
  const ahead = line.slice(0, line.indexOf(place))
  return ahead.length === 0 || ahead.reduce((sum, { bytes }) => sum + bytes, place.bytes) <= maxHeldBytes
}

function dropLost(now: number) {
  for (const place of [...line]) if (place.until < now) leave(place)
}

function leave(place: Place) {
  const at = line.indexOf(place)
  if (at !== -1) line.splice(at, 1)
}
