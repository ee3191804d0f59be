/** Whether a measurement meets its goal, in words. */
export function verdict(isMet: boolean, goal: string): string {
  return `${isMet ? 'meets' : 'MISSES'} the goal: ${goal}`
}
