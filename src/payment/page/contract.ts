import * as z from 'zod'
import { text } from '#core/http/fields'
import { objectionTo } from '#core/outgoing/url'
import { minorUnits } from '../money.ts'
import { hasUnitsFor, isCurrency } from './currency.ts'

// The payer's browser goes there, not the Worker: it may be any address.
const anyAddress = { ALLOW_PRIVATE_TARGETS: 'true' }

/** Where the payer goes afterwards: http or https, without credentials. Empty: nowhere. */
const ReturnUrl = z
  .string()
  .superRefine((given, { addIssue }) => {
    const message = given && objectionTo(given, anyAddress)
    if (message) addIssue({ code: 'custom', message })
  })
  .transform((given) => (given ? new URL(given).href : undefined))
  .optional()

const Sum = z
  .union([z.string(), z.number().transform(String)])
  .refine((sum) => minorUnits(sum) !== undefined, 'Must be above 0, and have at most 12 digits and two decimals')

const Currency = z
  .string()
  .max(3)
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, 'Must be a currency code of ISO 4217, such as KZT')

/** What the card page is asked for. */
export const CardPage = z
  .object({
    account: text(255).refine(isSeen, 'Must not be blank').describe('Who pays, as the operator knows him'),
    sum: Sum.describe('Above 0, with at most two decimals'),
    description: text(500).refine(isSeen, 'Must not be blank').describe('What is paid, as the payer reads it'),
    currency: Currency.describe('ISO 4217'),
    success_url: ReturnUrl.describe('Where the payer goes when he has paid; without it the page says so'),
    fail_url: ReturnUrl.describe('Where the payer goes when he has not; without it the page says so'),
    language: z.string().max(35).optional().describe('`en`, `ru` or `kk`; without it as the browser asks for'),
  })
  // It is asked also where the currency is none, which has been said by then.
  .refine(({ sum, currency }) => !isCurrency(currency) || hasUnitsFor(currency, sum), {
    path: ['sum'],
    message: 'Must have no decimals in this currency',
  })
export type CardPage = z.output<typeof CardPage>

function isSeen(given: string) {
  return given.trim() !== ''
}
