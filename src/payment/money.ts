const amount = /^(\d{1,12})(?:\.(\d{1,2}))?$/

/**
 * An amount such as `10`, `0.1` or `10.10` in hundredths of its currency's unit, which hold it exactly; nothing for what is
 * none: a sign, an exponent, a comma, three decimals, more than 12 digits, zero. They are hundredths for every currency, also
 * for those that have no such coin (1000 JPY are 100000) or smaller ones: the processor writes all amounts alike.
 */
export function minorUnits(text: string): number | undefined {
  const [, whole, decimals = ''] = amount.exec(text) ?? []
  if (whole === undefined) return undefined
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0')) || undefined
}
