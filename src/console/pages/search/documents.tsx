// The tab of an index with forms for its documents.
import { useState } from 'preact/hooks'
import { Progress } from '../../parts/bits.tsx'
import { asParams, Form, type FormValues } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { useAction } from '../../use.ts'
import { Document } from './document.tsx'
import { batchesOf } from './json-lines.ts'
import { type SearchVariant, searchOf } from './variant.ts'

interface IndexProps {
  variant: SearchVariant
  index: string
}

/** Forms to write one or many documents to an index, and to open a document by its code. */
export function Documents({ variant, index }: IndexProps) {
  const [opened, setOpened] = useState<string>()
  return (
    <div class="split">
      <div>
        <Section title="One document">
          <OneDocument {...{ variant, index }} />
        </Section>
        <Section title="Open a document">
          <Form
            fields={[{ name: 'code', label: 'Document code', isRequired: true }]}
            submit="Open"
            onSubmit={async ({ code }) => {
              setOpened(String(code))
              return true
            }}
          />
        </Section>
      </div>
      <Section title="Many documents">
        <ManyDocuments {...{ variant, index }} />
      </Section>
      {opened !== undefined && (
        <Document key={opened} {...{ variant, index }} code={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

function OneDocument({ variant, index }: IndexProps) {
  const write = useAction(
    (values: FormValues) =>
      searchOf(variant).post('/document', { ...asParams<{ code: string; text: string }>(values), index }),
    { done: 'Document written' },
  )
  return (
    <Form
      fields={[
        { name: 'code', label: 'Code', isRequired: true, help: 'Replaces the document with this code' },
        ...(variant === 'fulltext' ? [{ name: 'title', label: 'Title' }] : []),
        { name: 'text', label: 'Text', kind: 'area', isRequired: true },
      ]}
      submit="Write"
      onSubmit={write.run}
      isBusy={write.isBusy}
      error={write.error}
    />
  )
}

function ManyDocuments({ variant, index }: IndexProps) {
  const [fraction, setFraction] = useState<number>()
  const write = useAction(
    async (text: string) => {
      const batches = batchesOf(text)
      for (const [i, documents] of batches.entries()) {
        setFraction(i / batches.length)
        await searchOf(variant).post('/documents', { index, documents })
      }
      return batches.flat().length
    },
    { done: (count) => `${count} documents written` },
  )
  const run = (text: string) => write.run(text).finally(() => setFraction(undefined))
  return (
    <>
      <Form
        fields={[
          {
            ...{ name: 'lines', label: 'JSON lines', kind: 'area', isRequired: true },
            help: `One document per line: {"code":"a1",${variant === 'fulltext' ? '"title":"…",' : ''}"text":"…"}`,
          },
        ]}
        submit="Write all"
        onSubmit={({ lines }) => run(String(lines))}
        isBusy={write.isBusy}
        error={write.error}
      />
      <label>
        or a file{' '}
        <input
          type="file"
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) await run(await file.text())
            currentTarget.value = ''
          }}
        />
      </label>
      {fraction !== undefined && <Progress of={fraction} label="Documents written" />}
    </>
  )
}
