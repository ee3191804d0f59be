// Checks currency codes, and formats amounts of money for payers.

/** Currency codes (ISO 4217): active codes except those for funds, metals and tests. */
const codes = `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR \
ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP \
MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG \
SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST \
XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`

const knownCodes = new Set(codes.split(' '))

// Currencies with an unambiguous sign. Without `narrowSymbol`, some locales write the code instead.
const currenciesWithSign = new Set(['KZT', 'RUB'])

/** Whether an upper-case code is a currency code of ISO 4217. */
export const isCurrency = (code: string) => knownCodes.has(code)

/** Whether the currency has enough decimals for a sum such as `10.50`. Trailing zeros do not count: `10.00` needs none. */
export const hasUnitsFor = (currency: string, sum: string) =>
  decimalsOf(sum) <= (numberFormat('en', currency).resolvedOptions().maximumFractionDigits ?? 0)

/** Formats a sum for a language, such as `10 500 ₸` or `KWD 1.250`. Decimals are omitted if all are zero. */
export const formatMoney = (language: string, sum: string, currency: string) =>
  numberFormat(language, currency).format(Number(sum))

const decimalsOf = (sum: string) => /\.(\d*?)0*$/.exec(sum)?.[1]?.length ?? 0

function numberFormat(language: string, currency: string) {
  const key = `${language} ${currency}`
  // The runtime has no locale data for Kazakh, which formats sums like Russian.
  const locale = language === 'kk' ? 'ru' : language
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, moneyIn(currency))
  formats.set(key, format)
  return format
}

const formats = new Map<string, Intl.NumberFormat>()

const moneyIn = (currency: string): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  currencyDisplay: currenciesWithSign.has(currency) ? 'narrowSymbol' : 'symbol',
  trailingZeroDisplay: 'stripIfInteger',
})
