// Removes characters that some channels (SMS, email, bots) refuse from rendered texts, such as NUL. "Sound" means valid
// here, not audio.

/** Removes NUL and replaces lone surrogates in a text, which some channels refuse. */
export const soundText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/**
 * Makes a valid single line, such as a subject: like `soundText`, and line breaks and control characters become spaces.
 */
export const soundLine = (text: string): string =>
  soundText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
