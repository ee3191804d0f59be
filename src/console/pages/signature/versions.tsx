// The page of one signature with all its versions.
import { useState } from 'preact/hooks'
import { Button, sizeOf, Time } from '../../parts/bits.tsx'
import { LoadedContent, Section } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { q } from '../../session.ts'
import { useAction, useData } from '../../use.ts'
import { nameOf, type SignatureKey } from './signer.ts'
import { Verification } from './verification.tsx'

const size = 50

/** Lists the versions of a signature. Each version can be verified and downloaded. */
export function Versions({ document, thread }: SignatureKey) {
  const [offset, setOffset] = useState(0)
  const [selected, setSelected] = useState<number>()
  const versions = useData(
    (signal) =>
      q().signature.get('/signature/versions', { document, thread, limit: size, offset, count: true }, { signal }),
    [document, thread, offset],
    { every: 10_000 },
  )
  const download = useAction(async (version: number) => save(await fileOf({ document, thread }, version)), {
    done: (name) => `Downloaded as ${name}.`,
  })
  return (
    <>
      <Section title="Versions">
        <LoadedContent of={versions}>
          {({ versions: rows, nb_results, next_offset }) => (
            <>
              <Table
                label="Versions"
                rows={rows}
                keyOf={({ version }) => version}
                empty="No versions found."
                current={selected}
                columns={[
                  { title: 'Version', isFigure: true, of: ({ version }) => version },
                  { title: 'Created', of: ({ version_created_at }) => <Time of={version_created_at} /> },
                  { title: 'Author', of: ({ version_created_by }) => version_created_by },
                  { title: 'Comment', of: ({ version_comment }) => version_comment },
                  { title: 'Signed by', of: ({ signers }) => signers.map(nameOf).join('; ') },
                  { title: 'Tags', of: ({ tags }) => tags.join(', ') },
                  { title: 'Format', of: ({ format }) => format },
                  { title: 'Size', isFigure: true, of: ({ size }) => sizeOf(size) },
                  {
                    title: 'Action',
                    of: ({ version }) => (
                      <div class="actions">
                        <Button label={`Verify version ${version}`} onClick={() => setSelected(version)}>
                          Verify
                        </Button>
                        <Button
                          label={`Download version ${version}`}
                          isBusy={download.isBusy}
                          onClick={() => download.run(version)}
                        >
                          Download
                        </Button>
                      </div>
                    ),
                  },
                ]}
              />
              <Pager
                offset={offset}
                size={next_offset === undefined ? size : next_offset - offset}
                total={nb_results ?? rows.length}
                onTurn={setOffset}
              />
            </>
          )}
        </LoadedContent>
      </Section>
      {selected !== undefined && <Verification key={selected} document={document} thread={thread} version={selected} />}
    </>
  )
}

/** Loads the saved bytes of a version as a file. */
async function fileOf(of: SignatureKey, version: number): Promise<File> {
  const { signature } = await q().signature.get('/signature', { ...of, version })
  const bytes = Uint8Array.from(atob(signature.signature), (byte) => byte.charCodeAt(0))
  return new File([bytes], `${of.document}-${version}.${signature.format === 'xml' ? 'xml' : 'p7s'}`)
}

/** Starts the download of a file, and returns its name. */
function save(file: File): string {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click()
  // Releases the memory of the file after a minute. By then, the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return file.name
}
