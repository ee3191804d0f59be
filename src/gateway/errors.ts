import { defineErrors } from '#core/failure'

/** The errors of the gateway's pages, and of requests that it does not route to a component. */
export const { errors, failure, missing } = defineErrors({
  component_not_found: {
    status: 404,
    cause: 'No component has this name.',
    remedy: 'Open `/` for the list of components.',
  },
  host_refused: {
    status: 403,
    cause:
      'A local start answers only to localhost, *.localhost, IP addresses and the host of BASE_URL. Set BASE_URL to the address of this request.',
    remedy: 'Set `BASE_URL` to the address of the request, or use localhost.',
  },
  operation_not_found: {
    status: 404,
    cause: 'No operation has this id, or it ended more than 30 days ago.',
    remedy: 'Check the id that `DELETE /person` returned.',
  },
  operations_full: {
    status: 503,
    cause: 'Too many operations are running.',
    remedy: 'Retry after the seconds in `Retry-After`, when some have ended.',
  },
  page_not_found: {
    status: 404,
    cause: 'The site has no page at this path.',
    remedy: 'Open `/docs/` or `/console/`.',
  },
  service_worker_refused: {
    status: 403,
    cause: 'Only files of the console can be a service worker.',
    remedy: 'Load service workers from another origin.',
  },
})
