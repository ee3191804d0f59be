import { defineErrors } from '#core/failure'

/** The errors of the gateway's pages, and of requests that it does not route to a component. */
export const { failure, missing } = defineErrors({
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
