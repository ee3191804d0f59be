// node tests/support/signed/keep.ts: makes anew the signed data that is kept in the tests' folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixtures } from '../signed.ts'
import { makeSigned } from './make.ts'

const folder = mkdtempSync(join(tmpdir(), 'signed-'))
for (const [name, base64] of Object.entries(makeSigned(folder))) {
  writeFileSync(join(fixtures, name), Buffer.from(base64, 'base64'))
}
rmSync(folder, { recursive: true })
