import { checkCycles } from './cycles.ts'
import { isException, unneeded } from './exceptions.ts'
import { checkExports, checkLength, checkTypeNames } from './exports.ts'
import { checkFolders, checkNames } from './folders.ts'
import { checkLayers } from './layers.ts'
import { readTree, type Violation } from './tree.ts'

/**
 * Checks files, given by path, against the architecture rules. Returns the violations without justified exceptions, and
 * the exceptions that are not needed.
 */
export function checkRules(files: ReadonlyMap<string, string>): { violations: Violation[]; unneeded: string[] } {
  const tree = readTree(files)
  const checks = [checkFolders, checkNames, checkLayers, checkCycles, checkExports, checkTypeNames, checkLength]
  const found = checks.flatMap((check) => check(tree))
  return { violations: found.filter((violation) => !isException(violation)), unneeded: unneeded(found) }
}
