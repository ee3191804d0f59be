import { useEffect, useState } from 'preact/hooks'
import type { Params } from '#client/index'
import { sizeOf } from '../../parts/bits.tsx'
import { asParams, Form, type FormField, type FormValues } from '../../parts/form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction } from '../../use.ts'
import './page.css'

const formats = ['A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2']

const source: FormField[] = [
  { name: 'html', label: 'HTML', kind: 'area', help: 'Only absolute URLs in it lead anywhere' },
  { name: 'html_link', label: 'or a link', kind: 'url', help: 'An http or https URL that answers with HTML' },
]

const margin = (side: string): FormField => ({
  name: `margin_${side}`,
  label: `Margin, ${side}`,
  help: 'Such as 15mm or 0; 10mm unless given',
})

const options: FormField[] = [
  { name: 'format', label: 'Paper', kind: 'choice', options: [{ value: '', label: 'A4, or as CSS says' }, ...formats] },
  { name: 'landscape', label: 'Landscape', kind: 'check' },
  { name: 'print_background', label: 'With backgrounds', kind: 'check', value: true },
  ...['top', 'right', 'bottom', 'left'].map(margin),
  { name: 'scale', label: 'Scale', kind: 'number', help: '0.1 to 2; 1 unless given' },
  { name: 'page_ranges', label: 'Pages', help: 'Such as 1-3,5; all unless given' },
  { name: 'media', label: 'CSS for', kind: 'choice', options: ['print', 'screen'] },
  { name: 'wait_for', label: 'Wait for', help: 'load, domcontentloaded, networkidle, or selector: and a CSS selector' },
  { name: 'header_html', label: 'Header', kind: 'area', help: 'HTML; classes such as pageNumber are filled in' },
  { name: 'footer_html', label: 'Footer', kind: 'area' },
  { name: 'filename', label: 'File name' },
]

/** What was printed, under a URL that this tab alone knows. */
interface Printed {
  url: string
  name: string
  size: number
  /** Milliseconds from the request to the last byte. */
  took: number
}

/** Prints HTML, or a link, as PDF. */
export default function Pdf() {
  const [printed, setPrinted] = useState<Printed>()
  useEffect(() => () => void (printed && URL.revokeObjectURL(printed.url)), [printed])
  const make = useAction(print, { done: 'The PDF is there.', after: setPrinted })
  return (
    <Page title="PDF" about="Prints HTML as a browser does. What stays empty is as the API has it by itself.">
      <div class="split pdf">
        <Section title="What to print">
          <Form
            fields={[...source, ...options]}
            submit="Print"
            onSubmit={make.run}
            isBusy={make.isBusy}
            error={make.error}
            keeps
          />
        </Section>
        <Section title="What came of it">
          {make.isBusy && <p class="quiet">Printing…</p>}
          {printed ? <Result of={printed} /> : !make.isBusy && <p class="quiet">Nothing has been printed yet.</p>}
        </Section>
      </div>
    </Page>
  )
}

function Result({ of: { url, name, size, took } }: { of: Printed }) {
  return (
    <>
      <Facts of={{ 'File name': name, Size: sizeOf(size), 'It took': `${(took / 1_000).toFixed(1)} s` }} />
      <p class="actions">
        <a class="button" href={url} target="_blank" rel="noreferrer">
          Open
        </a>
        <a class="button" href={url} download={name}>
          Download
        </a>
      </p>
    </>
  )
}

async function print(values: FormValues): Promise<Printed> {
  const began = performance.now()
  const response = await q().pdf.post('/pdf', asParams<Params<'pdf', 'post', '/pdf'>>(values))
  const file = await response.blob()
  const took = performance.now() - began
  const name = nameIn(response.headers.get('content-disposition') ?? '')
  return { url: URL.createObjectURL(file), name, size: file.size, took }
}

/** The name that the reply is to be saved under (RFC 6266). */
function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return (encoded && decodeURIComponent(encoded)) || /filename="([^"]+)"/.exec(disposition)?.[1] || 'document.pdf'
}
