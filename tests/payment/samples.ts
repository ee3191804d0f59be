// Notifications with every field that the processor documents (https://developers.cloudpayments.ru/#check and #pay), encoded as
// it encodes them: a plus for a space, lower-case digits.
import { freshCode } from './support.ts'

const data = {
  CloudPayments: {
    recurrent: { interval: 'Month', period: 1, customerReceipt: { items: [{ label: 'Тариф & "всё"', price: 3900 }] } },
  },
}

/** Fields of both notifications. */
const common = () => ({
  TransactionId: freshCode(),
  Amount: '123.00',
  Currency: 'RUB',
  PaymentAmount: '123.00',
  PaymentCurrency: 'RUB',
  DateTime: '2026-01-02 14:51:20',
  CardId: '657c4df3f76043d3ea0eee8a',
  CardFirstSix: '411111',
  CardLastFour: '1111',
  CardType: 'Visa',
  CardExpDate: '12/30',
  TestMode: '0',
  Status: 'Completed',
  OperationType: 'Payment',
  InvoiceId: '1234567',
  AccountId: 'user@example.com',
  SubscriptionId: 'sc_a2fb47fd5fe1eaf4406478274f48b',
  Name: 'VLADIMIR KOCHNEV',
  Email: 'user@example.com',
  IpAddress: '185.107.56.213',
  IpCountry: 'RU',
  IpCity: 'Санкт-Петербург',
  IpRegion: 'Санкт-Петербург',
  IpDistrict: 'Северо-Западный федеральный округ',
  IpLatitude: '59.939000',
  IpLongitude: '30.315800',
  Issuer: 'Sberbank of Russia',
  IssuerBankCountry: 'RU',
  Description: "Оплата в example.com: 1 + 1 = 2 & более, 100% (d'Artagnan)!*~",
  CardProduct: 'F',
  PaymentMethod: '',
  InstallmentTerm: '',
  InstallmentMonthlyPayment: '',
  CustomFields: '[{"ID":"6206927683"}]',
  Data: JSON.stringify(data),
})

export const checkSample = common

export const paySample = () => ({
  ...common(),
  GatewayName: 'Tbank',
  Token: 'tk_5aa37b9829b89b38ad3fc00f24f5a',
  AuthCode: '625506',
  TotalFee: '4.80',
  Rrn: '613015333510',
  VatAboveTotalFee: '0.96',
  ProcessorAndPartnerFee: '',
  VatWithinProcessorFee: '',
  SplitPayments: '',
})

/** Encodes a form or query like .NET's `HttpUtility.UrlEncode`. */
export const encoded = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${urlEncode(value)}`)
    .join('&')

const urlEncode = (text: string) =>
  encodeURIComponent(text)
    .replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
    .replaceAll('%20', '+')
    .replaceAll("'", '%27')
    .replaceAll('~', '%7e')

/** The same fields as JSON, with numbers. */
export const inJson = (fields: Record<string, string>): string =>
  JSON.stringify(fields).replace(/"(TransactionId|Amount|PaymentAmount|TestMode|TotalFee)":"([\d.]+)"/g, '"$1":$2')
