// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Payment {
  get: {
    /** List payments, the newest first */
    '/transactions': {
      params: {
        /** Whom the payment is for */
        account?: string | undefined
        /** Identity of the transaction at the processor */
        code?: string | undefined
        /** 0 or 1 */
        status?: number | undefined
        /** The earliest that is listed */
        created_from?: string | undefined
        /** All that is listed is earlier */
        created_to?: string | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        transactions: {
          /** Identity of the payment here */
          id: number
          /** Whom the payment is for */
          account: string
          /** Identity of the transaction at the processor */
          code: string
          /** In the unit of the currency */
          sum: number
          /** The same in hundredths, exactly; for every currency */
          sum_minor: number
          /** ISO 4217 */
          currency: string
          /** 0 received; 1 completed: the operator has acknowledged the webhook, or there is nobody to tell */
          status: 0 | 1
          /** Whether it was made in the test mode of the processor, which `PAYMENT_TEST` accepts */
          is_test: boolean
          /** UTC */
          created_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Read a payment, with the attempts to tell the operator
     * By `id` or `code`, or both.
     */
    '/transaction': {
      params: {
        /** Identity of the payment here */
        id?: number | undefined
        /** Identity of the transaction at the processor */
        code?: string | undefined
      }
      reply: {
        transaction: {
          /** Identity of the payment here */
          id: number
          /** Whom the payment is for */
          account: string
          /** Identity of the transaction at the processor */
          code: string
          /** In the unit of the currency */
          sum: number
          /** The same in hundredths, exactly; for every currency */
          sum_minor: number
          /** ISO 4217 */
          currency: string
          /** 0 received; 1 completed: the operator has acknowledged the webhook, or there is nobody to tell */
          status: 0 | 1
          /** Whether it was made in the test mode of the processor, which `PAYMENT_TEST` accepts */
          is_test: boolean
          /** UTC */
          created_at: string
          /** The last 100 attempts to tell the operator, the newest first */
          webhooks: {
            id: number
            url: string
            request_body: string
            /** Null where no answer came */
            response_status: number | null
            /** Its first 4 000 characters */
            response_body: string | null
            /** Why no answer came */
            error: string | null
            duration_ms: number
            /** UTC */
            created_at: string
          }[]
          /** When the next attempt is due; null where none is */
          next_webhook_at: string | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'transaction_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Show the page to pay by card
     * An HTML page in the payer's language, with what is paid and to whom, and a button that opens the processor's form: nobody but the processor gets the card. From there the payer goes to `success_url` or `fail_url`. Whatever is wrong with the parameters, the payer reads a page that says so, with status 400; 503 where PAYMENT_PUBLIC_ID is not set.
     */
    '/pub/card': {
      params: {
        /** Who pays, as the operator knows him */
        account: string
        /** Above 0, with at most two decimals */
        sum: string | number
        /** What is paid, as the payer reads it */
        description: string
        /** ISO 4217 */
        currency: string
        /** Where the payer goes when he has paid; without it the page says so */
        success_url?: string | undefined
        /** Where the payer goes when he has not; without it the page says so */
        fail_url?: string | undefined
        /** `en`, `ru` or `kk`; without it as the browser asks for */
        language?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * The same page under its other address
     * An HTML page in the payer's language, with what is paid and to whom, and a button that opens the processor's form: nobody but the processor gets the card. From there the payer goes to `success_url` or `fail_url`. Whatever is wrong with the parameters, the payer reads a page that says so, with status 400; 503 where PAYMENT_PUBLIC_ID is not set.
     */
    '/_payments_/pub/card': {
      params: {
        /** Who pays, as the operator knows him */
        account: string
        /** Above 0, with at most two decimals */
        sum: string | number
        /** What is paid, as the payer reads it */
        description: string
        /** ISO 4217 */
        currency: string
        /** Where the payer goes when he has paid; without it the page says so */
        success_url?: string | undefined
        /** Where the payer goes when he has not; without it the page says so */
        fail_url?: string | undefined
        /** `en`, `ru` or `kk`; without it as the browser asks for */
        language?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * Tell the operator of a payment again, now
     * Also of one that it has acknowledged; with the `webhook-id` of all copies. The reply comes when it has answered, or has not within 15 seconds: what became of it is the first of `webhooks`. Unless it is acknowledged the schedule begins anew. 409 webhook_processing while an attempt is under way.
     */
    '/transaction/webhook': {
      params: {
        /** Identity of the payment here */
        id?: number | undefined
        /** Identity of the transaction at the processor */
        code?: string | undefined
      }
      reply: {
        transaction: {
          /** Identity of the payment here */
          id: number
          /** Whom the payment is for */
          account: string
          /** Identity of the transaction at the processor */
          code: string
          /** In the unit of the currency */
          sum: number
          /** The same in hundredths, exactly; for every currency */
          sum_minor: number
          /** ISO 4217 */
          currency: string
          /** 0 received; 1 completed: the operator has acknowledged the webhook, or there is nobody to tell */
          status: 0 | 1
          /** Whether it was made in the test mode of the processor, which `PAYMENT_TEST` accepts */
          is_test: boolean
          /** UTC */
          created_at: string
          /** The last 100 attempts to tell the operator, the newest first */
          webhooks: {
            id: number
            url: string
            request_body: string
            /** Null where no answer came */
            response_status: number | null
            /** Its first 4 000 characters */
            response_body: string | null
            /** Why no answer came */
            error: string | null
            duration_ms: number
            /** UTC */
            created_at: string
          }[]
          /** When the next attempt is due; null where none is */
          next_webhook_at: string | null
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'transaction_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'webhook_processing' | 'payload_too_large' | 'internal_error' | 'not_configured' | 'outcome_unknown'
    }
  }
}
