// Removes characters from rendered texts that some channels refuse, such as NUL. It has no relation to audio.

/** Removes NUL and replaces lone surrogates, which some channels refuse. */
export const soundText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The same for a single line, such as a subject: line breaks and control characters become spaces. */
export const soundLine = (text: string): string =>
  soundText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
