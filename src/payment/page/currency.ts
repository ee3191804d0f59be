/** The codes of the money that people pay with (ISO 4217, active codes without funds, metals and tests). */
const codes = `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR \
ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP \
MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG \
SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST \
XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`

const known = new Set(codes.split(' '))

// Their own signs, which no other currency has: what a locale would write instead is the code.
const signs = new Set(['KZT', 'RUB'])

/** Whether a code in capitals is one of ISO 4217. */
export const isCurrency = (code: string) => known.has(code)

/** Whether the currency has coins as small as a sum such as `10.50` asks for; `10.00` asks for none. */
export const hasUnitsFor = (currency: string, sum: string) =>
  decimalsOf(sum) <= (numberFormat('en', currency).resolvedOptions().maximumFractionDigits ?? 0)

/** A sum as people write it in a language: `10 500 ₸`, `KWD 1.250`; with the fraction only where there is one. */
export const formatMoney = (language: string, sum: string, currency: string) =>
  numberFormat(language, currency).format(Number(sum))

const decimalsOf = (sum: string) => /\.(\d*?)0*$/.exec(sum)?.[1]?.length ?? 0

function numberFormat(language: string, currency: string) {
  const key = `${language} ${currency}`
  // The runtime has no data of Kazakh, which writes sums as Russian does.
  const locale = language === 'kk' ? 'ru' : language
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, moneyIn(currency))
  formats.set(key, format)
  return format
}

const formats = new Map<string, Intl.NumberFormat>()

const moneyIn = (currency: string): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  currencyDisplay: signs.has(currency) ? 'narrowSymbol' : 'symbol',
  trailingZeroDisplay: 'stripIfInteger',
})
