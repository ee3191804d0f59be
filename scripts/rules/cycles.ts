import type { Tree, Violation } from './tree.ts'

/**
 * Finds groups of files that import each other, including imports of types. Each group is one violation, described by a
 * shortest cycle.
 */
export function checkCycles({ sources, edges }: Tree): Violation[] {
  const imported = new Map<string, Set<string>>([...sources.keys()].map((path) => [path, new Set()]))
  for (const { source, target } of edges) if (sources.has(target)) imported.get(source.path)!.add(target)
  return groupsOf(imported).map((group) => {
    const cycle = findShortestCycle(group, imported)
    return { rule: 'cycles', file: cycle[0]!, line: 1, detail: [...cycle, cycle[0]].join(' → ') }
  })
}

/**
 * Groups of files that import each other: the strongly connected components of the import graph (Tarjan's algorithm)
 * with more than one file, and files that import themselves.
 */
function groupsOf(imported: ReadonlyMap<string, Set<string>>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []
  const enter = (path: string) => {
    order.set(path, order.size)
    low.set(path, order.get(path)!)
    stack.push(path)
    for (const target of imported.get(path)!) {
      if (!order.has(target)) enter(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path)!, low.get(target)!))
    }
    if (low.get(path) !== order.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1 || imported.get(path)!.has(path)) groups.push(group.sort())
  }
  for (const path of imported.keys()) if (!order.has(path)) enter(path)
  return groups
}

/** A shortest import cycle through a file of the group, to show a short example. */
function findShortestCycle(group: string[], imported: ReadonlyMap<string, Set<string>>): string[] {
  const cycles = group.map((start) => {
    const before = new Map<string, string>()
    const queue = [start]
    for (const path of queue) {
      for (const target of imported.get(path)!) {
        if (target === start) return wayTo(path, before)
        if (!group.includes(target) || before.has(target)) continue
        before.set(target, path)
        queue.push(target)
      }
    }
    return group
  })
  return cycles.reduce((best, cycle) => (cycle.length < best.length ? cycle : best))
}

function wayTo(path: string, before: ReadonlyMap<string, string>): string[] {
  const previous = before.get(path)
  return previous === undefined ? [path] : [...wayTo(previous, before), path]
}
