// Provides signed data to tests inside workerd: fixtures from the repository, and files that the machine's programs
// sign now.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeSigned } from './signed/make.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Signed data by name, in base64: `kept` from the repository, `made` by the programs of this machine. */
    signed: { kept: Record<string, string>; made: Record<string, string> }
  }
}

export const fixtures = join(import.meta.dirname, '../signature/signed/fixtures')

export default (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'signed-'))
  try {
    project.provide('signed', { kept: filesIn(fixtures), made: makeSigned(folder) })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]))
