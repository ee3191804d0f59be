// Operations on `access` in the soak test.
import type { ComponentMix } from './operation.ts'

export const access: ComponentMix = {
  operations: [
    {
      name: 'access: create and delete a key',
      weight: 1,
      run: async ({ ask, call, unique }) => {
        const { key } = await call<{ key: { id: string } }>('POST', '/access/key', {
          name: unique(),
          scopes: ['feed:read'],
        })
        await ask('DELETE', `/access/key?id=${key.id}`)
      },
    },
    {
      name: 'access: issue a token',
      weight: 2,
      run: async ({ call }) => void (await call('POST', '/access/token', { scopes: ['feed:read'] })),
    },
    { name: 'access: list keys', weight: 1, run: async ({ ask }) => void (await ask('GET', '/access/keys?limit=20')) },
  ],
}
