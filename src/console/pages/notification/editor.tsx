import { useState } from 'preact/hooks'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { say } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Typed } from '../../parts/typed.tsx'
import { go } from '../../route.ts'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import { ContentEditor } from '../messages/editor.tsx'
import { errorsOf, objectIn } from '../messages/texts.ts'
import { type Draft, draftOf, savedAs, type TemplateDraft } from './draft.ts'
import { PreviewOf, usePreview } from './preview.tsx'
import { SendTemplate } from './send.tsx'

/** Editor of a template, next to its preview. */
export function TemplateEditor({ saved, onSaved }: { saved: TemplateDraft | undefined; onSaved: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(saved))
  const [locale, setLocale] = useState(draft.content.locales[0]!)
  const [data, setData] = useState('{"name": "Ann"}')
  const payload = objectIn(data)
  const previewed = usePreview(draft.content, locale, payload)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const save = useAction(
    async () => {
      const params = savedAs(draft, saved && draftOf(saved))
      const { notification } = saved
        ? await q().notification.patch('/notification', { id: saved.id, ...params })
        : await q().notification.post('/notification', params)
      return notification.code
    },
    {
      done: 'Template saved.',
      after: (code) => (code === saved?.code ? onSaved() : go(['notification', code])),
    },
  )
  const remove = useAction((id: number) => q().notification.delete('/notification', { id }), {
    done: 'Template deleted.',
    after: () => go(['notification']),
  })
  const errors = { ...errorsOf(save.error), ...errorsOf(previewed.error) }
  const isChanged = JSON.stringify(savedAs(draft, undefined)) !== JSON.stringify(savedAs(draftOf(saved), undefined))
  return (
    <div class="split">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          void save.run()
        }}
      >
        <Typed label="Name" value={draft.name} isRequired wrong={errors.name} onInput={(name) => change({ name })} />
        <Typed
          label="Code"
          value={draft.code}
          isRequired
          help="Unique code for calls, such as order_shipped"
          wrong={errors.code}
          onInput={(code) => change({ code })}
        />
        <Typed
          label="Description"
          value={draft.description}
          wrong={errors.description}
          onInput={(description) => change({ description })}
        />
        <ContentEditor
          content={draft.content}
          onChange={(content) => change({ content })}
          locale={locale}
          onLocale={setLocale}
          errors={errors}
          takesAny
        />
        {save.error !== undefined && (
          <p class="wrong" role="alert">
            {say(save.error)}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="main" disabled={save.isBusy} aria-busy={save.isBusy}>
            {saved ? 'Save' : 'Create'}
          </button>
          {saved && isChanged && <span class="quiet">Unsaved changes</span>}
          {saved && (
            <ConfirmButton
              question="This deletes the template permanently. Queued messages are still sent."
              isBusy={remove.isBusy}
              onConfirm={() => remove.run(saved.id)}
            >
              Delete
            </ConfirmButton>
          )}
        </div>
      </form>
      <div>
        <Section title={`Preview${locale && `, ${locale}`}`}>
          <Typed
            label="Values"
            kind="area"
            rows={3}
            value={data}
            onInput={setData}
            help="JSON object with the values of the variables"
            wrong={payload ? undefined : 'Must be a JSON object'}
          />
          <PreviewOf previewed={previewed} has={draft.content.has} locale={locale} payload={payload} />
        </Section>
        {saved && <SendTemplate template={saved} locale={locale} payload={payload} isChanged={isChanged} />}
      </div>
    </div>
  )
}
