/** Findings that are right where they stand: a file or folder, the phrase or name, and the reason. At most 30. */
export const exceptions: readonly (readonly [path: string, phrase: string, reason: string])[] = []
