// The section of a signature's page that verifies one version.
import { useState } from 'preact/hooks'
import { State, Time } from '../../parts/bits.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { nameOf, type SignatureKey } from './signer.ts'

/**
 * Verifies a version and shows the result for each signer. For a detached signature, the user selects the signed content as a file.
 */
export function Verification({ document, thread, version }: SignatureKey & { version: number }) {
  const [content, setContent] = useState<{ name: string; base64: string; selectedAt: number }>()
  const verified = useData(
    (signal) =>
      q().signature.post(
        '/signature/verify',
        { document, thread, version, ...(content && { content: content.base64 }) },
        { signal },
      ),
    [document, thread, version, content?.selectedAt],
  )
  const read = useAction(async (file: File) =>
    setContent({ name: file.name, base64: await base64Of(file), selectedAt: Date.now() }),
  )
  return (
    <Section title={`Verification of version ${version}`}>
      <LoadedContent of={verified}>
        {({ verification: { result, signers } }) => (
          <>
            <p role="status">
              The signature is <State of={result} />
              {content && `, verified with ${content.name}`}
            </p>
            <Table
              label="Signers"
              rows={signers.map((signer, index) => ({ ...signer, index }))}
              keyOf={({ index }) => index}
              empty="The signature has no signers."
              columns={[
                { title: 'Signer', of: (signer) => nameOf(signer) },
                { title: 'Result', of: ({ result }) => <State of={result} /> },
                { title: 'Reason', of: ({ reason }) => reason ?? '–' },
                { title: 'Covers', of: ({ covers }) => covers.join(', ') },
                { title: 'Algorithm', of: ({ algorithm, weak }) => `${algorithm ?? '–'}${weak ? ', weak' : ''}` },
                { title: 'Claimed signing time', of: ({ signed_at }) => <Time of={signed_at} /> },
                { title: 'Issuer', of: ({ issuer }) => issuer ?? '–' },
              ]}
            />
          </>
        )}
      </LoadedContent>
      <p class="field">
        <label for="content">Signed content, for a detached signature</label>
        <input
          id="content"
          type="file"
          onChange={({ currentTarget: { files } }) => void (files?.[0] && read.run(files[0]))}
        />
      </p>
      <p class="quiet">
        Digests and signatures are verified with the certificates in the signed data. Trust in these certificates is not
        checked.
      </p>
    </Section>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
