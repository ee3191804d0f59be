import { defineConfig } from 'vitest/config'
import { projectConfig } from './scripts/tests/projects.ts'
import { isInTier, namedTestFiles, projectOf, tierOf } from './scripts/tests/selection.ts'
import { SlowProjectsFirst } from './scripts/tests/sequencer.ts'

export default defineConfig(async ({ mode }) => {
  const tier = tierOf(mode)
  const files = Map.groupBy(
    namedTestFiles(process.argv.slice(2)).filter((file) => isInTier(file, tier)),
    projectOf,
  )
  return {
    test: {
      // A Worker logs every request; the logs of a test that failed are shown.
      silent: 'passed-only' as const,
      sequence: { sequencer: SlowProjectsFirst },
      projects: (await Promise.all([...files].map(([name, include]) => projectConfig(name, include, tier)))) as never[],
    },
  }
})
