// PDF page of the console: a form that prints HTML or a link, and the result.
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
  { name: 'html', label: 'HTML', kind: 'area', help: 'Only absolute URLs work in it' },
  { name: 'html_link', label: 'or a link', kind: 'url', help: 'An http or https URL that returns HTML' },
]

const margin = (side: string): FormField => ({
  name: `margin_${side}`,
  label: `Margin, ${side}`,
  help: 'Such as 15mm or 0. By default 10mm',
})

const options: FormField[] = [
  {
    name: 'format',
    label: 'Paper',
    kind: 'choice',
    options: [{ value: '', label: 'A4, or the size in the CSS' }, ...formats],
  },
  { name: 'landscape', label: 'Landscape', kind: 'check' },
  { name: 'print_background', label: 'Print backgrounds', kind: 'check', value: true },
  ...['top', 'right', 'bottom', 'left'].map(margin),
  { name: 'scale', label: 'Scale', kind: 'number', help: '0.1 to 2. By default 1' },
  { name: 'page_ranges', label: 'Pages', help: 'Such as 1-3,5. By default all' },
  { name: 'media', label: 'CSS media type', kind: 'choice', options: ['print', 'screen'] },
  { name: 'wait_for', label: 'Wait for', help: 'load, domcontentloaded, networkidle, or selector: and a CSS selector' },
  { name: 'header_html', label: 'Header', kind: 'area', help: 'HTML; classes such as pageNumber are filled in' },
  { name: 'footer_html', label: 'Footer', kind: 'area' },
  { name: 'filename', label: 'File name' },
]

/** A printed PDF, at a blob URL of this tab. */
interface PrintedPdf {
  url: string
  name: string
  size: number
  /** Milliseconds from the request to the last byte. */
  tookMs: number
}

export default function Pdf() {
  const [printed, setPrinted] = useState<PrintedPdf>()
  useEffect(() => () => void (printed && URL.revokeObjectURL(printed.url)), [printed])
  const make = useAction(print, { done: 'PDF printed', after: setPrinted })
  return (
    <Page title="PDF" about="Prints HTML with a browser. Empty fields have the defaults of the API.">
      <div class="split pdf">
        <Section title="Document">
          <Form
            fields={[...source, ...options]}
            submit="Print"
            onSubmit={make.run}
            isBusy={make.isBusy}
            error={make.error}
            keeps
          />
        </Section>
        <Section title="Result">
          {make.isBusy && <p class="quiet">Printing…</p>}
          {printed ? <PdfResult of={printed} /> : !make.isBusy && <p class="quiet">Nothing has been printed yet.</p>}
        </Section>
      </div>
    </Page>
  )
}

function PdfResult({ of: { url, name, size, tookMs } }: { of: PrintedPdf }) {
  return (
    <>
      <Facts of={{ 'File name': name, Size: sizeOf(size), Duration: `${(tookMs / 1_000).toFixed(1)} s` }} />
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

async function print(values: FormValues): Promise<PrintedPdf> {
  const began = performance.now()
  const response = await q().pdf.post('/pdf', asParams<Params<'pdf', 'post', '/pdf'>>(values))
  const file = await response.blob()
  const tookMs = performance.now() - began
  const name = nameIn(response.headers.get('content-disposition') ?? '')
  return { url: URL.createObjectURL(file), name, size: file.size, tookMs }
}

/** The file name in a Content-Disposition header (RFC 6266). */
function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return (encoded && decodeURIComponent(encoded)) || /filename="([^"]+)"/.exec(disposition)?.[1] || 'document.pdf'
}
