// Types of the operations of payment, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Payment {
  get: {
    /**
     * List payments
     * Returns payments in descending order of `id`, so the newest come first. Without filters, all payments are listed; with several filters, a payment must match all of them. A URL may be stored in logs and histories: `POST /transactions` takes the same parameters in the body.
     */
    '/transactions': {
      params: {
        /** List only payments for this account */
        account?: string | undefined
        /** List only the payment with this id at the processor (`TransactionId`) */
        code?: string | undefined
        /** List only payments with this status. 0: not acknowledged by the merchant yet. 1: completed */
        status?: number | undefined
        /** List only payments stored at this time or later */
        created_from?: string | undefined
        /** List only payments stored before this time */
        created_to?: string | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Payments, the newest first */
        transactions: {
          /** Id of the payment in this component, from 1 */
          id: number
          /** Account that is paid for (`AccountId`), at most 255 characters */
          account: string
          /** Id of the transaction at the processor (`TransactionId`), at most 255 characters */
          code: string
          /** Amount in the unit of the currency, such as 10.5 for 10.50 KZT */
          sum: number
          /** Amount as an exact integer in hundredths of the unit, for every currency */
          sum_minor: number
          /** Currency code (ISO 4217) */
          currency: string
          /** 0: received, the merchant has not acknowledged the webhook yet. 1: completed, the merchant has acknowledged the webhook, or no webhook URL is set. */
          status: 0 | 1
          /** Whether the payment was made in the test mode of the processor. Such payments are stored only if `PAYMENT_TEST` is true */
          is_test: boolean
          /** When the payment was stored */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Read a payment with its webhook attempts
     * Finds the payment by `id` or `code`. If both are given, both must match. The reply has the last 100 webhook attempts and the time of the next one.
     */
    '/transaction': {
      params: {
        /** Id of the payment. Required unless `code` is given */
        id?: number | undefined
        /** Id of the transaction at the processor (`TransactionId`). Required unless `id` is given */
        code?: string | undefined
      }
      reply: {
        /** The payment with its webhook attempts */
        transaction: {
          /** Id of the payment in this component, from 1 */
          id: number
          /** Account that is paid for (`AccountId`), at most 255 characters */
          account: string
          /** Id of the transaction at the processor (`TransactionId`), at most 255 characters */
          code: string
          /** Amount in the unit of the currency, such as 10.5 for 10.50 KZT */
          sum: number
          /** Amount as an exact integer in hundredths of the unit, for every currency */
          sum_minor: number
          /** Currency code (ISO 4217) */
          currency: string
          /** 0: received, the merchant has not acknowledged the webhook yet. 1: completed, the merchant has acknowledged the webhook, or no webhook URL is set. */
          status: 0 | 1
          /** Whether the payment was made in the test mode of the processor. Such payments are stored only if `PAYMENT_TEST` is true */
          is_test: boolean
          /** When the payment was stored */
          created_at: string
          /** The last 100 webhook attempts, the newest first */
          webhooks: {
            /** Id of the attempt. Later attempts have higher ids */
            id: number
            /** URL that the webhook was sent to, without credentials */
            url: string
            /** Body of the webhook, without card data and credentials */
            request_body: string
            /** HTTP status of the merchant's response; null if there was no response */
            response_status: number | null
            /** First 4,000 characters of the response, without card data and credentials; null if there was no response */
            response_body: string | null
            /** Why there was no response, such as a timeout; null if there was one */
            error: string | null
            /** Duration of the attempt in milliseconds */
            duration_ms: number
            /** When the attempt started */
            created_at: string
          }[]
          /** When the next attempt is due; null if none is scheduled */
          next_webhook_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'transaction_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Show the card payment page
     * An HTML page in the payer's language that shows the amount, the purpose and the recipient of the payment, with a button that opens the processor's card form. Only the processor gets the card data. After the payment, the page redirects the payer to `success_url` or `fail_url`. No authentication is required. If a parameter is not valid, the reply is an HTML page with status 400 that says so; without PAYMENT_PUBLIC_ID, the page has status 503. A client address may open the page 60 times a minute; then the page has status 429, except on a local start.
     */
    '/pub/card': {
      params: {
        /** Account that is paid for, at most 255 characters. The merchant gets it in the webhook */
        account: string
        /** Amount in the unit of the currency, above 0, with at most 12 digits and two decimals */
        sum: string | number
        /** Purpose of the payment, shown to the payer; at most 500 characters */
        description: string
        /** Currency code (ISO 4217), such as `KZT` */
        currency: string
        /** URL (http or https) that the payer is redirected to after the payment. Without it, the page says that the payment was received */
        success_url?: string | undefined
        /** URL (http or https) that the payer is redirected to after a failed payment. Without it, the page says that the payment failed */
        fail_url?: string | undefined
        /** Language of the page: `en`, `ru` or `kk`. By default the language of the browser (`Accept-Language`), or else `en` */
        language?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Show the card payment page (alternative path)
     * An HTML page in the payer's language that shows the amount, the purpose and the recipient of the payment, with a button that opens the processor's card form. Only the processor gets the card data. After the payment, the page redirects the payer to `success_url` or `fail_url`. No authentication is required. If a parameter is not valid, the reply is an HTML page with status 400 that says so; without PAYMENT_PUBLIC_ID, the page has status 503. A client address may open the page 60 times a minute; then the page has status 429, except on a local start.
     */
    '/_payments_/pub/card': {
      params: {
        /** Account that is paid for, at most 255 characters. The merchant gets it in the webhook */
        account: string
        /** Amount in the unit of the currency, above 0, with at most 12 digits and two decimals */
        sum: string | number
        /** Purpose of the payment, shown to the payer; at most 500 characters */
        description: string
        /** Currency code (ISO 4217), such as `KZT` */
        currency: string
        /** URL (http or https) that the payer is redirected to after the payment. Without it, the page says that the payment was received */
        success_url?: string | undefined
        /** URL (http or https) that the payer is redirected to after a failed payment. Without it, the page says that the payment failed */
        fail_url?: string | undefined
        /** Language of the page: `en`, `ru` or `kk`. By default the language of the browser (`Accept-Language`), or else `en` */
        language?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * List payments
     * Returns payments in descending order of `id`, so the newest come first. Without filters, all payments are listed; with several filters, a payment must match all of them. The same as `GET /transactions`, with the parameters in the body, so that no URL has them.
     */
    '/transactions': {
      params: {
        /** List only payments for this account */
        account?: string | undefined
        /** List only the payment with this id at the processor (`TransactionId`) */
        code?: string | undefined
        /** List only payments with this status. 0: not acknowledged by the merchant yet. 1: completed */
        status?: number | undefined
        /** List only payments stored at this time or later */
        created_from?: string | undefined
        /** List only payments stored before this time */
        created_to?: string | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Payments, the newest first */
        transactions: {
          /** Id of the payment in this component, from 1 */
          id: number
          /** Account that is paid for (`AccountId`), at most 255 characters */
          account: string
          /** Id of the transaction at the processor (`TransactionId`), at most 255 characters */
          code: string
          /** Amount in the unit of the currency, such as 10.5 for 10.50 KZT */
          sum: number
          /** Amount as an exact integer in hundredths of the unit, for every currency */
          sum_minor: number
          /** Currency code (ISO 4217) */
          currency: string
          /** 0: received, the merchant has not acknowledged the webhook yet. 1: completed, the merchant has acknowledged the webhook, or no webhook URL is set. */
          status: 0 | 1
          /** Whether the payment was made in the test mode of the processor. Such payments are stored only if `PAYMENT_TEST` is true */
          is_test: boolean
          /** When the payment was stored */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Resend the webhook of a payment
     * Sends the webhook now, with the `webhook-id` of the earlier attempts, even if the merchant has already acknowledged the payment. Finds the payment by `id` or `code`; if both are given, both must match. The operation waits for the merchant's response (up to 15 seconds) and returns the payment; the result of the attempt is the first item of `webhooks`. If the attempt fails, retries start again from the beginning of the schedule (10 seconds, 1 minute and so on). While an attempt is in progress, the reply is 409 `webhook_processing`. A failed attempt still gets 200 and does not change `status`: `next_webhook_at` is the time of the retry. Without PAYMENT_WEBHOOK_URL the reply is 503 `not_configured`; on a local start the webhook then goes to the catcher at /payments.
     */
    '/transaction/webhook': {
      params: {
        /** Id of the payment. Required unless `code` is given */
        id?: number | undefined
        /** Id of the transaction at the processor (`TransactionId`). Required unless `id` is given */
        code?: string | undefined
      }
      reply: {
        /** The payment with its webhook attempts */
        transaction: {
          /** Id of the payment in this component, from 1 */
          id: number
          /** Account that is paid for (`AccountId`), at most 255 characters */
          account: string
          /** Id of the transaction at the processor (`TransactionId`), at most 255 characters */
          code: string
          /** Amount in the unit of the currency, such as 10.5 for 10.50 KZT */
          sum: number
          /** Amount as an exact integer in hundredths of the unit, for every currency */
          sum_minor: number
          /** Currency code (ISO 4217) */
          currency: string
          /** 0: received, the merchant has not acknowledged the webhook yet. 1: completed, the merchant has acknowledged the webhook, or no webhook URL is set. */
          status: 0 | 1
          /** Whether the payment was made in the test mode of the processor. Such payments are stored only if `PAYMENT_TEST` is true */
          is_test: boolean
          /** When the payment was stored */
          created_at: string
          /** The last 100 webhook attempts, the newest first */
          webhooks: {
            /** Id of the attempt. Later attempts have higher ids */
            id: number
            /** URL that the webhook was sent to, without credentials */
            url: string
            /** Body of the webhook, without card data and credentials */
            request_body: string
            /** HTTP status of the merchant's response; null if there was no response */
            response_status: number | null
            /** First 4,000 characters of the response, without card data and credentials; null if there was no response */
            response_body: string | null
            /** Why there was no response, such as a timeout; null if there was one */
            error: string | null
            /** Duration of the attempt in milliseconds */
            duration_ms: number
            /** When the attempt started */
            created_at: string
          }[]
          /** When the next attempt is due; null if none is scheduled */
          next_webhook_at: string | null
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'transaction_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'webhook_processing' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'outcome_unknown'
    }
  }
}
