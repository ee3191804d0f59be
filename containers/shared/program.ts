// Finds installed programs such as ffmpeg and Chromium on this machine.
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'

/** Returns the path of a program, given its path or its name on the PATH; undefined if there is none. */
export function locate(name: string): string | undefined {
  const folders = basename(name) === name ? (process.env.PATH ?? '').split(delimiter) : ['']
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
