/** Sends a request to a container; answers with 503 if the container is not available. */
export async function forward(container: { fetch(request: Request): Promise<Response> }, request: Request) {
  try {
    const response = await container.fetch(request)
    return isOwn(response) ? response : unavailable()
  } catch {
    return unavailable()
  }
}

/** Errors of the server are JSON. If the container did not start, the platform answers with text. */
const isOwn = ({ ok, headers }: Response) => ok || headers.get('content-type') === 'application/json'

const unavailable = () =>
  Response.json(
    { status: false, status_code: 'unavailable', message: 'The container is not available' },
    { status: 503, headers: { 'retry-after': '5' } },
  )
