// The error codes of the PDF API: status, cause and remedy of each.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  browser_failed: {
    status: 502,
    cause: 'The document made the browser crash twice, or the browser failed.',
    remedy:
      'Print long documents in parts with `page_ranges`, and embed fonts and images of headers and footers as `data:` URLs.',
  },
  browser_timeout: {
    status: 504,
    cause: 'The document was not printed within 30 seconds.',
    remedy:
      'Choose a `wait_for` that the page reaches, remove scripts and downloads that do not end, or print fewer pages. Retry if the container was busy.',
  },
  document_not_found: {
    status: 404,
    cause: 'No document is stored under this name: the document is not printed yet, has expired, or was deleted.',
    remedy: 'Retry later if the document is being printed, or print it with `POST /pdf` and `store`.',
  },
  link_failed: {
    status: 502,
    cause:
      'The link cannot be reached, redirects more than 5 times, or returns a status other than 2xx or content other than HTML.',
    remedy: 'Correct `html_link` as `message` says. The page must be public and need no credentials.',
  },
  pdf_too_large: {
    status: 422,
    cause: 'The PDF has more than 100 MB.',
    remedy: 'Use smaller images, or print the document in parts with `page_ranges`.',
  },
})
