// Sends one message of a delivery through the feed component, as a record for the recipient.
import { parseJson } from '#core/http/json'
import { defaultLocale } from '../env.ts'
import { targets } from '../recipients.ts'
import type { Send } from './channel-call.ts'
import { callChannel, isReply, outcomeOfError } from './channel-call.ts'

export const sendFeedRecord: Send = async (env, texts, recipient, key) => {
  const target = targets.feed(recipient)
  const render = async (field: 'feed_title' | 'feed_text' | 'feed_image') =>
    (await texts.render(field, recipient, defaultLocale(env)))?.trim() || undefined
  const [title, text, image] = [await render('feed_title'), await render('feed_text'), await render('feed_image')]
  if (!target || (!title && !text)) return { state: 'skipped', reason: 'no_text' }
  const { feed_payload } = texts.content
  const payload = feed_payload === null ? {} : { payload: parseJson(feed_payload) }
  const response = await callChannel(env, 'feed', {
    path: '/record',
    body: { ...target, title, text, image, ...payload },
    key,
  })
  if (!isReply(response)) return response
  return response.status === 200 ? { state: 'sent' } : outcomeOfError(response)
}
