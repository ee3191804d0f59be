// Sends random requests to the signature API, and checks that none fails with 500.
import { describe } from 'vitest'
import { signature } from '#signature/index'
import Signature from '../../workers/signature/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'
import { attached, content, detached } from './samples.ts'

describe.each(onDatabases(Signature))('signatures on $dialect', ({ fetch }) => {
  fuzz(fetch, signature, {
    document: ['contract', 'act'],
    thread: ['a', 'b'],
    chain: ['a'],
    stage: ['1', '2'],
    version: [0, 1, 2, 3],
    cms: [attached, detached],
    content: [btoa(content)],
    version_created_by: ['ann', 7],
    version_comment: ['A word', 0],
    tags: [[], ['x'], ['x', 'y', 'x'], 'x,y'],
    limit: [1, 1000],
    offset: [0, 1],
    count: [true],
  })
})
