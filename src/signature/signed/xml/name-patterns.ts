// Regular expressions for names in XML, for its parser: XML 1.0 (section 2.3) without the colon (Namespaces in XML 1.0, section 3).
const start =
  'A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const more = `${start}.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040-`

/** Source of a regular expression for a name without a colon. Needs the flag `u`. */
export const ncName = `[${start}][${more}]*`

/** Source of a regular expression for a name with or without a prefix. Needs the flag `u`. */
export const qName = `${ncName}(?::${ncName})?`
