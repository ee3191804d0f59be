/**
 * Case folding for search, in any script, with accents normalized (NFC): `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδός` with its
 * final sigma, `ΐ` and its three-letter capital are equal afterwards.
 */
export const fold = (text: string) =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
