/**
 * Case folding for search in records, in any script, with accents normalized (NFC). Texts that differ only in case are equal
 * afterwards, such as `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδός` with its final sigma, or `ΐ` and its capital of three
 * characters.
 */
export const fold = (text: string) =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
