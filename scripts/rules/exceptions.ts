import type { Violation } from './tree.ts'

/** Files that break a rule for a reason which stays. */
interface Exception {
  rule: string
  files: string[]
  why: string
}

const exceptions: Exception[] = [
  {
    rule: 'container-folders',
    files: ['containers/chromium/egress/rule.ts'],
    why: 'Workers and the browser have one list of private addresses',
  },
]

/** Whether a violation is listed as an exception. */
export const isException = ({ rule, file }: Violation): boolean =>
  exceptions.some((exception) => exception.rule === rule && exception.files.includes(file))

/** The exceptions that no violation needs, as "rule file". */
export const unneeded = (violations: readonly Violation[]): string[] =>
  exceptions.flatMap(({ rule, files }) =>
    files
      .filter((path) => !violations.some((found) => found.rule === rule && found.file === path))
      .map((path) => `${rule} ${path}`),
  )
