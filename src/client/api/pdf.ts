// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Pdf {
  get: {
    /** Print HTML, or a link, as PDF */
    '/pdf': {
      params: {
        /** The document; only absolute URLs in it lead anywhere */
        html?: string | undefined
        /** An http or https URL that answers with HTML, after at most 5 redirects; instead of `html` */
        html_link?: string | undefined
        /** The size of the paper, `A4` unless given: Letter, Legal, Tabloid, Ledger, A0, A1, A2, A3, A4, A5, A6, in any case. Unless it is given, one that CSS gives by `@page` wins */
        format?: string | undefined
        /** With `height`, instead of `format`: lengths as margins have */
        width?: string | number | undefined
        /** With `width` */
        height?: string | number | undefined
        /** The longer side lies below; default `false` */
        landscape?: boolean | undefined
        /** The margin at the top, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_top?: string | number | undefined
        /** The margin on the right, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_right?: string | number | undefined
        /** The margin at the bottom, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_bottom?: string | number | undefined
        /** The margin on the left, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_left?: string | number | undefined
        /** How much larger all of it is; default `1` */
        scale?: number | undefined
        /** HTML in the top margin of every page; in classes `pageNumber`, `totalPages`, `date`, `title` and `url` it has these; no scripts, nothing from the network */
        header_html?: string | undefined
        /** The same in the bottom margin */
        footer_html?: string | undefined
        /** With background colours and pictures; default `true` */
        print_background?: boolean | undefined
        /** Only these pages, all unless given */
        page_ranges?: string | undefined
        /** `load`, `domcontentloaded`, `networkidle` (half a second without a connection), or `selector:` and a CSS selector that has to match; default `"load"` */
        wait_for?: string | undefined
        /** Which CSS applies; default `"print"` */
        media?: 'print' | 'screen' | undefined
        /** The name under which it is saved; `.pdf` is added where it is missing */
        filename?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'pdf_too_large' | 'internal_error' | 'browser_failed' | 'link_failed' | 'not_configured' | 'unavailable' | 'browser_timeout'
    }
    /**
     * Download a stored PDF
     * 404 `document_not_found` until it is printed, and after it has expired.
     */
    '/document': {
      params: {
        /** Name of the stored document, 1 to 255 characters */
        name: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'document_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /** Print HTML, or a link, as PDF, with long parameters */
    '/pdf': {
      params: {
        /** The document; only absolute URLs in it lead anywhere */
        html?: string | undefined
        /** An http or https URL that answers with HTML, after at most 5 redirects; instead of `html` */
        html_link?: string | undefined
        /** The size of the paper, `A4` unless given: Letter, Legal, Tabloid, Ledger, A0, A1, A2, A3, A4, A5, A6, in any case. Unless it is given, one that CSS gives by `@page` wins */
        format?: string | undefined
        /** With `height`, instead of `format`: lengths as margins have */
        width?: string | number | undefined
        /** With `width` */
        height?: string | number | undefined
        /** The longer side lies below; default `false` */
        landscape?: boolean | undefined
        /** The margin at the top, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_top?: string | number | undefined
        /** The margin on the right, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_right?: string | number | undefined
        /** The margin at the bottom, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_bottom?: string | number | undefined
        /** The margin on the left, 10 mm unless given: a number with `mm`, `cm`, `in`, `pt`, `pc` or `px`, or 0. One that CSS gives by `@page` wins */
        margin_left?: string | number | undefined
        /** How much larger all of it is; default `1` */
        scale?: number | undefined
        /** HTML in the top margin of every page; in classes `pageNumber`, `totalPages`, `date`, `title` and `url` it has these; no scripts, nothing from the network */
        header_html?: string | undefined
        /** The same in the bottom margin */
        footer_html?: string | undefined
        /** With background colours and pictures; default `true` */
        print_background?: boolean | undefined
        /** Only these pages, all unless given */
        page_ranges?: string | undefined
        /** `load`, `domcontentloaded`, `networkidle` (half a second without a connection), or `selector:` and a CSS selector that has to match; default `"load"` */
        wait_for?: string | undefined
        /** Which CSS applies; default `"print"` */
        media?: 'print' | 'screen' | undefined
        /** The name under which it is saved; `.pdf` is added where it is missing */
        filename?: string | undefined
        /** Store the PDF under this name, in place of one that has the name, for PDF_STORE_TTL seconds, and answer 201 with `document`. For callers that do not read the reply, such as the queue */
        store?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'pdf_too_large' | 'internal_error' | 'browser_failed' | 'link_failed' | 'not_configured' | 'unavailable' | 'browser_timeout'
    }
  }
  delete: {
    /** Delete a stored PDF */
    '/document': {
      params: {
        /** Name of the stored document, 1 to 255 characters */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'document_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
