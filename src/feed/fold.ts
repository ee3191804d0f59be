/**
 * Text without its case, in any script, and with its accents written in one way (NFC): `STRASSE` and `Straße`, `ΟΔΟΣ` and
 * `οδός` with its final sigma, `ΐ` and its three-letter capital come out alike.
 */
export const fold = (text: string) =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
