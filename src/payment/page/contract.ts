// Schema of the card page's parameters.
import * as z from 'zod'
import { text } from '#core/http/fields'
import { objectionTo } from '#core/outgoing/url'
import { minorUnits } from '../money.ts'
import { hasUnitsFor, isCurrency } from './currency.ts'

// The payer's browser opens this URL, not the Worker, so private addresses are allowed.
const anyAddress = { ALLOW_PRIVATE_TARGETS: 'true' }

/** URL that the payer is redirected to: http or https, without credentials. An empty string counts as missing. */
const ReturnUrl = z
  .string()
  .superRefine((value, { addIssue }) => {
    const message = value && objectionTo(value, anyAddress)
    if (message) addIssue({ code: 'custom', message })
  })
  .transform((value) => (value ? new URL(value).href : undefined))
  .optional()

const Sum = z
  .union([z.string(), z.number().transform(String)])
  .refine((sum) => minorUnits(sum) !== undefined, 'Must be above 0, with at most 12 digits and two decimals')

const Currency = z
  .string()
  .max(3)
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, 'Must be a currency code (ISO 4217), such as KZT')

/** Parameters of the card page. */
export const CardPage = z
  .object({
    account: text(255)
      .refine(isNotBlank, 'Must not be blank')
      .describe('Account that is paid for, at most 255 characters. The merchant gets it in the webhook'),
    sum: Sum.describe('Amount in the unit of the currency, above 0, with at most 12 digits and two decimals'),
    description: text(500)
      .refine(isNotBlank, 'Must not be blank')
      .describe('Purpose of the payment, shown to the payer; at most 500 characters'),
    currency: Currency.describe('Currency code (ISO 4217), such as `KZT`'),
    success_url: ReturnUrl.describe(
      'URL (http or https) that the payer is redirected to after the payment. Without it, the page says that the payment was received',
    ),
    fail_url: ReturnUrl.describe(
      'URL (http or https) that the payer is redirected to after a failed payment. Without it, the page says that the payment failed',
    ),
    language: z
      .string()
      .max(35)
      .optional()
      .describe(
        'Language of the page: `en`, `ru` or `kk`. By default the language of the browser (`Accept-Language`), or else `en`',
      ),
  })
  // This check also runs for an invalid currency. That error is already reported, so the check passes.
  .refine(({ sum, currency }) => !isCurrency(currency) || hasUnitsFor(currency, sum), {
    path: ['sum'],
    message: 'Must have no decimals in this currency',
  })
export type CardPage = z.output<typeof CardPage>

function isNotBlank(value: string) {
  return value.trim() !== ''
}
