import { useState } from 'preact/hooks'
import { Progress } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { useAction } from '../../use.ts'
import { Document } from './document.tsx'
import { parcelsOf } from './lines.ts'
import { type SearchVariant, searchOf } from './variant.ts'

interface Of {
  variant: SearchVariant
  index: string
}

/** Writes documents, one or many, and opens one by its code. */
export function Documents({ variant, index }: Of) {
  const [opened, setOpened] = useState<string>()
  return (
    <div class="split">
      <div>
        <Section title="One document">
          <One {...{ variant, index }} />
        </Section>
        <Section title="Open a document">
          <Form
            fields={[{ name: 'code', label: 'Its code', isRequired: true }]}
            submit="Open"
            onSubmit={async ({ code }) => {
              setOpened(String(code))
              return true
            }}
          />
        </Section>
      </div>
      <Section title="Many documents">
        <Many {...{ variant, index }} />
      </Section>
      {opened !== undefined && (
        <Document key={opened} {...{ variant, index }} code={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

function One({ variant, index }: Of) {
  const write = useAction(
    (values: FormValues) =>
      searchOf(variant).post('/document', { ...asParams<{ code: string; text: string }>(values), index }),
    { done: 'The document is written.' },
  )
  return (
    <Form
      fields={[
        { name: 'code', label: 'Code', isRequired: true, help: 'One of the same code is replaced' },
        ...(variant === 'fulltext' ? [{ name: 'title', label: 'Title' }] : []),
        { name: 'text', label: 'Text', kind: 'area', isRequired: true },
      ]}
      submit="Write it"
      onSubmit={write.run}
      isBusy={write.isBusy}
      error={write.error}
    />
  )
}

function Many({ variant, index }: Of) {
  const [share, setShare] = useState<number>()
  const write = useAction(
    async (text: string) => {
      const parcels = parcelsOf(text)
      for (const [i, documents] of parcels.entries()) {
        setShare(i / parcels.length)
        await searchOf(variant).post('/documents', { index, documents })
      }
      return parcels.flat().length
    },
    { done: (count) => `${count} documents are written.` },
  )
  const run = (text: string) => write.run(text).finally(() => setShare(undefined))
  return (
    <>
      <Form
        fields={[
          {
            ...{ name: 'lines', label: 'JSON lines', kind: 'area', isRequired: true },
            help: `One on each line: {"code":"a1",${variant === 'fulltext' ? '"title":"…",' : ''}"text":"…"}`,
          },
        ]}
        submit="Write all"
        onSubmit={({ lines }) => run(String(lines))}
        isBusy={write.isBusy}
        error={write.error}
      />
      <label>
        or a file of such lines{' '}
        <input
          type="file"
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) await run(await file.text())
            currentTarget.value = ''
          }}
        />
      </label>
      {share !== undefined && <Progress of={share} label="Written of the documents" />}
    </>
  )
}
