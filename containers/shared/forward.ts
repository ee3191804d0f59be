/**
 * Sends a request to a container instance, from the Worker in front of it. Answers with 503 if the container is not
 * available.
 */
export async function forward(container: { fetch(request: Request): Promise<Response> }, request: Request) {
  try {
    const response = await container.fetch(request)
    return isOwn(response) ? response : unavailable()
  } catch {
    return unavailable()
  }
}

/**
 * Whether a response is from the server in the container, whose errors are JSON. If the container did not start, the
 * platform answers with text.
 */
const isOwn = ({ ok, headers }: Response) => ok || headers.get('content-type') === 'application/json'

const unavailable = () =>
  Response.json(
    { status: false, status_code: 'unavailable', message: 'The container is not available' },
    { status: 503, headers: { 'retry-after': '5' } },
  )
