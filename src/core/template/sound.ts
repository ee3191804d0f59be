/** A text as every channel takes it: without NUL and half characters, whatever the values have in them. */
export const soundText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The same in one line, as a subject is. */
export const soundLine = (text: string): string =>
  soundText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
