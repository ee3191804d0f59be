// Fills a component with data before a benchmark or a measurement.

/** Posts JSON to a component. Throws if the call fails. */
export async function post(origin: string, path: string, body: object, headers = {}): Promise<void> {
  const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}
