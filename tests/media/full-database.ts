// The calls of the media API that a full database rejects, and those that still work. tests/stack/boot makes them.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /file'],
    ['POST /image'],
    ['POST /image/0123456789abcdef/rotate', { d: 90 }],
    ['POST /image/0123456789abcdef/crop', { x: 0, y: 0, w: 1, h: 1 }],
    ['POST /video'],
    ['POST /audio'],
    ['POST /tus'],
  ],
  before: 0,
  others: [['GET /items']],
}
