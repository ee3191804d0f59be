import type { ComponentMix } from './operation.ts'

export const access: ComponentMix = {
  operations: [
    {
      name: 'access: add and delete',
      weight: 1,
      run: async ({ ask, call, unique }) => {
        const { id } = await call<{ id: number }>('POST', '/access/note', { text: unique() })
        await ask('DELETE', `/access/note?id=${id}`)
      },
    },
    { name: 'access: list', weight: 2, run: async ({ ask }) => void (await ask('GET', '/access/notes?limit=20')) },
  ],
}
