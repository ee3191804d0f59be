// Helper of benchmarks and measurements that fills a component with data.

/** Posts JSON to a component during preparation; throws if the call fails. */
export async function post(origin: string, path: string, body: object, headers = {}): Promise<void> {
  const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}
