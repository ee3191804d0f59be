import { useState } from 'preact/hooks'
import { State, Time } from '../../parts/bits.tsx'
import { Section, Shown } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { nameOf, type SignatureKey } from './signer.ts'

/** Verifies a version, and says of each signer what came of it; what a detached signature is of can be given. */
export function Verification({ document, thread, version }: SignatureKey & { version: number }) {
  const [content, setContent] = useState<{ name: string; base64: string; given: number }>()
  const verified = useData(
    (signal) =>
      q().signature.post(
        '/signature/verify',
        { document, thread, version, ...(content && { content: content.base64 }) },
        { signal },
      ),
    [document, thread, version, content?.given],
  )
  const read = useAction(async (file: File) =>
    setContent({ name: file.name, base64: await base64Of(file), given: Date.now() }),
  )
  return (
    <Section title={`Verification of version ${version}`}>
      <Shown of={verified}>
        {({ verification: { result, signers } }) => (
          <>
            <p role="status">
              The signature is <State of={result} />
              {content && `, over ${content.name}`}
            </p>
            <Table
              label="Signers"
              rows={signers.map((signer, place) => ({ ...signer, place }))}
              keyOf={({ place }) => place}
              empty="It has no signer."
              columns={[
                { title: 'Signer', of: (signer) => nameOf(signer) },
                { title: 'Result', of: ({ result }) => <State of={result} /> },
                { title: 'Reason', of: ({ reason }) => reason ?? '–' },
                { title: 'Covers', of: ({ covers }) => covers.join(', ') },
                { title: 'Algorithm', of: ({ algorithm, weak }) => `${algorithm ?? '–'}${weak ? ', weak' : ''}` },
                { title: 'Says it signed', of: ({ signed_at }) => <Time of={signed_at} /> },
                { title: 'Certificate of', of: ({ issuer }) => issuer ?? '–' },
              ]}
            />
          </>
        )}
      </Shown>
      <p class="field">
        <label for="content">What was signed, where the signature does not have it inside</label>
        <input
          id="content"
          type="file"
          onChange={({ currentTarget: { files } }) => void (files?.[0] && read.run(files[0]))}
        />
      </p>
      <p class="quiet">
        Digests and signatures are checked by the certificates inside. Whether these are to be trusted is not.
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
