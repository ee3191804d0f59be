/** Uses up the limit of an address for the current minute. */
export async function useUp(limit: RateLimit, address: string): Promise<void> {
  for (let sent = 0; sent < maxLimit; sent++) if (!(await limit.limit({ key: address })).success) return
  throw new Error(`The limit of ${address} is above ${maxLimit}`)
}

const maxLimit = 2_000
