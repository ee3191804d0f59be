// Finds installed programs such as ffmpeg. Tests are skipped if their program is missing; `npm run ci` installs all.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program on the PATH. */
export const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable)

/** Whether a program is installed: `describe.skipIf(!has('ffmpeg'))`. */
export const has = (program: string): boolean => pathOf(program) !== undefined

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
