// What tests need of the machine: where it is missing they are skipped, and .ci/run installs it.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is on the PATH. */
export const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable)

/** For `describe.skipIf(!has('ffmpeg'))`. */
export const has = (program: string): boolean => pathOf(program) !== undefined

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
