import { parseJson } from '#core/http/json'
import { defaultLocale } from '../env.ts'
import { targets } from '../recipients.ts'
import type { Send } from './ask.ts'
import { askChannel, isAnswer, refusedBy } from './ask.ts'

/** One record in the feed of one recipient. */
export const sendRecord: Send = async (env, texts, recipient, key) => {
  const target = targets.feed(recipient)
  const render = async (field: 'feed_title' | 'feed_text' | 'feed_image') =>
    (await texts.render(field, recipient, defaultLocale(env)))?.trim() || undefined
  const [title, text, image] = [await render('feed_title'), await render('feed_text'), await render('feed_image')]
  if (!target || (!title && !text)) return { state: 'skipped', reason: 'no_text' }
  const { feed_payload } = texts.content
  const payload = feed_payload === null ? {} : { payload: parseJson(feed_payload) }
  const asked = await askChannel(env, 'feed', {
    path: '/record',
    body: { ...target, title, text, image, ...payload },
    key,
  })
  if (!isAnswer(asked)) return asked
  return asked.status === 200 ? { state: 'sent' } : refusedBy(asked)
}
