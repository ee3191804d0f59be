import { expect, it } from 'vitest'
import { senderTo } from './support.ts'

it('sends a mail', async () => {
  const { send, arrived } = await senderTo()
  const { status, json } = await send()
  expect({ status, json }).toMatchObject({ status: 201, json: { status: true, content: { rejected: [] } } })
  const [mail] = await arrived()
  expect(mail).toMatchObject({ subject: 'Hello', text: 'How are you?\n' })
})
