// Which Chromium there is.
import { locate } from '../../shared/program.ts'
import { type Executable, unpackChromium } from './package.ts'

/** In the order of how soon they make a document: the first has no window to draw. */
const installed = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** What names npm's. */
const packaged = 'package'

/** Whether there is one by that name or path. */
export const isChromium = (named: string): boolean => named === packaged || locate(named) !== undefined

/** The one that was named, or is installed; else npm's, unpacked into the folder. */
export async function findChromium(named: string | undefined, folder: string): Promise<Executable> {
  const names = named ? [named] : installed
  const path = names.map(locate).find((found) => found !== undefined)
  return path ? { path } : unpackChromium(folder)
}
