// The order in which test files run.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects with files that take half a minute: a worker that began one of them last would run alone at the end. */
const firstProjects = ['stack', 'containers']

const rankOf = ({ project }: TestSpecification): number => {
  const rank = firstProjects.indexOf(project.name)
  return rank === -1 ? firstProjects.length : rank
}

/** Runs the files of each project together, the projects with the slowest files first. */
export class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
