// Starts the in-process Postgres for all tests of a component, with Neon's HTTP API in front of it.
import { globSync, readFileSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { serveNeon } from './neon.ts'

declare module 'vitest' {
  interface ProvidedContext {
    neonPort: number
  }
}

export default async (project: TestProject) => {
  const neon = await serveNeon((component) =>
    globSync(`migrations/${component}/postgres/*.sql`)
      .sort()
      .map((file) => readFileSync(file, 'utf8')),
  )
  project.provide('neonPort', neon.port)
  return neon.close
}
