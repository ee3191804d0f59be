/** Text without its case, in any script: `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδός`'s final sigma come out alike. */
export const fold = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
