// node tests/support/signed/keep.ts: makes the signed fixtures of the repository again, except those of Peers.java.
// Needs openssl with its GOST engine, and xmlsec1.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixtures } from '../signed.ts'
import { makeGost } from './gost.ts'
import { makeSigned } from './make.ts'

const folder = mkdtempSync(join(tmpdir(), 'signed-'))
for (const [name, base64] of Object.entries(makeSigned(folder))) {
  writeFileSync(join(fixtures, name), Buffer.from(base64, 'base64'))
}
for (const [name, bytes] of Object.entries(makeGost(folder))) writeFileSync(join(fixtures, name), bytes)
rmSync(folder, { recursive: true })
