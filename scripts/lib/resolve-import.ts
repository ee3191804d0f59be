import { posix } from 'node:path'

/**
 * The file of the project that an import specifier names, or undefined for a package. A path without a file is returned
 * unchanged.
 */
export function resolveImport(
  specifier: string,
  importer: string,
  isFile: (path: string) => boolean,
): string | undefined {
  const [path = ''] = specifier.split('?')
  if (!/^[#.]/.test(path)) return undefined
  const target = path.startsWith('#') ? `src/${path.slice(1)}` : posix.join(posix.dirname(importer), path)
  return ['.ts', '.tsx', '/index.ts', ''].map((end) => target + end).find(isFile) ?? target
}
