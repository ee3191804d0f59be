// Converts amounts of money to exact integers, since sums of decimals as floating-point numbers are not exact.

const amount = /^(\d{1,12})(?:\.(\d{1,2}))?$/

/**
 * Converts an amount such as `10`, `0.1` or `10.10` to an exact integer in hundredths of the currency's unit. Undefined for any
 * other text: a sign, an exponent, a comma, three decimals, more than 12 digits, zero. The unit is hundredths for every currency,
 * even without such a coin (1000 JPY are 100000): the processor writes all amounts alike.
 */
export function minorUnits(text: string): number | undefined {
  const [, whole, decimals = ''] = amount.exec(text) ?? []
  if (whole === undefined) return undefined
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0')) || undefined
}
