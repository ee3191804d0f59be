// Types of the operations of pdf, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Pdf {
  get: {
    /**
     * Print a PDF
     * Prints `html` or the page at `html_link`, and returns the PDF. Takes up to 30 seconds. A HEAD request validates the parameters without printing. Use POST if the parameters are too long for a query string.
     */
    '/pdf': {
      params: {
        /** The HTML to print. Only absolute URLs work in it. Give either `html` or `html_link` */
        html?: string | undefined
        /** URL of the page to print (http or https). It must return 2xx and HTML, after at most 5 redirects. Give either `html` or `html_link` */
        html_link?: string | undefined
        /** Paper size, by default `A4`: Letter, Legal, Tabloid, Ledger, A0, A1, A2, A3, A4, A5, A6, in upper or lower case. Without `format`, a size in the CSS (`@page { size: … }`) is used */
        format?: string | undefined
        /** Paper width, instead of `format`: a length like a margin, such as `100mm`. Requires `height` */
        width?: string | number | undefined
        /** Paper height, instead of `format`: a length like a margin, such as `150mm`. Requires `width` */
        height?: string | number | undefined
        /** Print in landscape, by default false; default `false` */
        landscape?: boolean | undefined
        /** The top margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_top?: string | number | undefined
        /** The right margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_right?: string | number | undefined
        /** The bottom margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_bottom?: string | number | undefined
        /** The left margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_left?: string | number | undefined
        /** Scale factor of the page content, 0.1 to 2, by default 1; default `1` */
        scale?: number | undefined
        /** HTML for the top margin of every page, up to 100 000 characters. Elements of the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Scripts do not run, and nothing is loaded: embed images and fonts as `data:` URLs. The margin must be large enough */
        header_html?: string | undefined
        /** HTML for the bottom margin of every page, up to 100 000 characters. Elements of the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Scripts do not run, and nothing is loaded: embed images and fonts as `data:` URLs. The margin must be large enough */
        footer_html?: string | undefined
        /** Print background colours and images, by default true; default `true` */
        print_background?: boolean | undefined
        /** Pages to print, by default all: up to 100 page numbers and ranges, separated by commas, such as `1-3,5` */
        page_ranges?: string | undefined
        /** Event that starts printing, by default `load`: `load` (images, styles and scripts are loaded), `domcontentloaded`, `networkidle` (no connection for 0.5 s), or `selector:` followed by a CSS selector (an element matches); default `"load"` */
        wait_for?: string | undefined
        /** CSS media type, `print` or `screen`, by default `print`; default `"print"` */
        media?: 'print' | 'screen' | undefined
        /** File name in the `Content-Disposition` header, up to 255 characters, by default `document.pdf`. `.pdf` is added if it is missing */
        filename?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'pdf_too_large' | 'rate_limit' | 'internal_error' | 'browser_failed' | 'link_failed' | 'unavailable' | 'not_configured' | 'browser_timeout'
    }
    /**
     * Download a stored PDF
     * Returns the PDF that `POST /pdf` stored with `store`, with its file name in `Content-Disposition`. Returns 404 `document_not_found` until the document is printed, and after it has expired. A HEAD request returns the headers only.
     */
    '/document': {
      params: {
        /** Name of the stored document, 1 to 255 characters */
        name: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'document_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * Print a PDF from a JSON body
     * Prints `html` or the page at `html_link`, and returns the PDF. Takes up to 30 seconds. With `store`, the PDF is stored under that name and the reply is JSON: use this for callers that do not read the reply, such as the queue. The request body has up to 16 MB. 422 `pdf_too_large` if the PDF has more than 100 MB.
     */
    '/pdf': {
      params: {
        /** The HTML to print. Only absolute URLs work in it. Give either `html` or `html_link` */
        html?: string | undefined
        /** URL of the page to print (http or https). It must return 2xx and HTML, after at most 5 redirects. Give either `html` or `html_link` */
        html_link?: string | undefined
        /** Paper size, by default `A4`: Letter, Legal, Tabloid, Ledger, A0, A1, A2, A3, A4, A5, A6, in upper or lower case. Without `format`, a size in the CSS (`@page { size: … }`) is used */
        format?: string | undefined
        /** Paper width, instead of `format`: a length like a margin, such as `100mm`. Requires `height` */
        width?: string | number | undefined
        /** Paper height, instead of `format`: a length like a margin, such as `150mm`. Requires `width` */
        height?: string | number | undefined
        /** Print in landscape, by default false; default `false` */
        landscape?: boolean | undefined
        /** The top margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_top?: string | number | undefined
        /** The right margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_right?: string | number | undefined
        /** The bottom margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_bottom?: string | number | undefined
        /** The left margin, by default `10mm`: 0, or a text with a number and the unit `mm`, `cm`, `in`, `pt`, `pc` or `px`. A margin in the CSS (`@page { margin: … }`) overrides it */
        margin_left?: string | number | undefined
        /** Scale factor of the page content, 0.1 to 2, by default 1; default `1` */
        scale?: number | undefined
        /** HTML for the top margin of every page, up to 100 000 characters. Elements of the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Scripts do not run, and nothing is loaded: embed images and fonts as `data:` URLs. The margin must be large enough */
        header_html?: string | undefined
        /** HTML for the bottom margin of every page, up to 100 000 characters. Elements of the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Scripts do not run, and nothing is loaded: embed images and fonts as `data:` URLs. The margin must be large enough */
        footer_html?: string | undefined
        /** Print background colours and images, by default true; default `true` */
        print_background?: boolean | undefined
        /** Pages to print, by default all: up to 100 page numbers and ranges, separated by commas, such as `1-3,5` */
        page_ranges?: string | undefined
        /** Event that starts printing, by default `load`: `load` (images, styles and scripts are loaded), `domcontentloaded`, `networkidle` (no connection for 0.5 s), or `selector:` followed by a CSS selector (an element matches); default `"load"` */
        wait_for?: string | undefined
        /** CSS media type, `print` or `screen`, by default `print`; default `"print"` */
        media?: 'print' | 'screen' | undefined
        /** File name in the `Content-Disposition` header, up to 255 characters, by default `document.pdf`. `.pdf` is added if it is missing */
        filename?: string | undefined
        /** Name to store the PDF under, 1 to 255 characters. A document with this name is replaced. The document expires after PDF_STORE_TTL seconds (by default a week), and the reply is 201 with `document` */
        store?: string | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'pdf_too_large' | 'rate_limit' | 'internal_error' | 'browser_failed' | 'link_failed' | 'unavailable' | 'not_configured' | 'browser_timeout'
    }
  }
  delete: {
    /**
     * Delete a stored PDF
     * Deletes the PDF that `POST /pdf` stored with `store`, before it expires. 404 `document_not_found` if none is stored under the name.
     */
    '/document': {
      params: {
        /** Name of the stored document, 1 to 255 characters */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'document_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
