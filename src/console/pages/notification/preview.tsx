// Preview of a template: requests it from the API while the user types, and shows the rendered messages.
import { useEffect, useState } from 'preact/hooks'
import type { Reply } from '#client/index'
import { Json } from '../../parts/bits.tsx'
import { Html } from '../../parts/html.tsx'
import { say } from '../../parts/notice.tsx'
import { Facts } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useSettled } from '../../use.ts'
import { errorsOf, type MessageContent } from '../messages/texts.ts'
import { textsOf } from './draft.ts'

type Preview = Reply<'notification', 'post', '/notification/preview'>['preview']

interface Previewed {
  /** The last successful preview. */
  preview: Preview | undefined
  error: unknown
}

/** The preview of a draft during editing. Replies for outdated drafts are ignored. */
export function usePreview(
  content: MessageContent,
  locale: string,
  payload: Record<string, unknown> | undefined,
): Previewed {
  const [previewed, setPreviewed] = useState<Previewed>({ preview: undefined, error: undefined })
  const settled = useSettled(JSON.stringify({ ...textsOf(content), locale, ...(payload && { payload }) }))
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const ask = async () => {
      try {
        const { preview } = await q().notification.post('/notification/preview', JSON.parse(settled), { signal })
        if (!signal.aborted) setPreviewed({ preview, error: undefined })
      } catch (error) {
        if (!signal.aborted) setPreviewed(({ preview }) => ({ preview, error }))
      }
    }
    void ask()
    return () => controller.abort()
  }, [settled])
  return previewed
}

interface PreviewProps {
  previewed: Previewed
  has: MessageContent['has']
  locale: string
  /** The values of the preview. */
  payload: Record<string, unknown> | undefined
}

/** The rendered messages by channel. */
export function PreviewOf({ previewed, has, locale, payload = {} }: PreviewProps) {
  const { preview, error } = previewed
  const hasProblems = Object.keys(errorsOf(error)).length > 0
  return (
    <>
      {error !== undefined && (
        <p class="wrong" role="status">
          {hasProblems ? 'A text is invalid. The preview shows the last valid texts.' : say(error)}
        </p>
      )}
      {!preview && error === undefined && <p class="quiet">Loading…</p>}
      {preview && has.email && preview.email && (
        <section aria-label="Preview of the email">
          <h3>Email</h3>
          <Facts of={{ Subject: preview.email.subject ?? '' }} />
          <Html of={preview.email.html ?? ''} title="The email" height="16rem" />
        </section>
      )}
      {preview && has.sms && preview.sms && (
        <section aria-label="Preview of the SMS">
          <h3>SMS</h3>
          <Json of={preview.sms.message} label="The SMS" />
          <p class="quiet">
            {preview.sms.segments} {preview.sms.segments === 1 ? 'segment' : 'segments'},{' '}
            {preview.sms.encoding === 'gsm7' ? 'GSM alphabet' : 'UCS-2: a character is not in the GSM alphabet'}
          </p>
        </section>
      )}
      {preview && has.feed && preview.feed && (
        <section aria-label="Preview of the feed's record">
          <h3>Feed</h3>
          <Facts
            of={{ Title: preview.feed.title ?? '', Text: preview.feed.text ?? '', Image: preview.feed.image ?? '' }}
          />
        </section>
      )}
      {preview && <Read variables={preview.variables} payload={payload} />}
      {preview && <Borrowed locales={preview.locales} locale={locale} />}
    </>
  )
}

/** The variables of the texts, and those without a value. */
function Read({ variables, payload }: { variables: string[]; payload: Record<string, unknown> }) {
  const missing = variables.filter((variable) => !Object.hasOwn(payload, variable.split(/[.[]/, 1)[0]!))
  return (
    <>
      <p class="quiet">Variables: {variables.join(', ') || 'none'}</p>
      {missing.length > 0 && <p class="wrong">No value, so blank: {missing.join(', ')}</p>}
    </>
  )
}

/** Lists the texts that are used from another language. */
function Borrowed({ locales, locale }: { locales: Preview['locales']; locale: string }) {
  const borrowed = Object.entries(locales).filter(([, taken]) => taken !== null && taken !== locale)
  if (borrowed.length === 0) return null
  return (
    <p class="quiet">From another language: {borrowed.map(([field, taken]) => `${field} of ${taken}`).join(', ')}</p>
  )
}
