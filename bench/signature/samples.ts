// The signatures of the signature benchmark.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes CMS signatures with RSA by OpenSSL, in base64, for these sizes of content. */
export function signedBySize<Name extends string>(sizes: Record<Name, number>, form: string[] = []): [Name, string][] {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-signed-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  try {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
      '-subj',
      '/CN=Bench',
    )
    return Object.entries<number>(sizes).map(([name, size]) => {
      writeFileSync(join(folder, 'content'), Buffer.alloc(size, 'Lorem ipsum dolor sit amet. '))
      const files = ['-in', 'content', '-out', 'signed', '-signer', 'cert.pem', '-inkey', 'key.pem']
      openssl('cms', '-sign', '-binary', '-nodetach', '-outform', 'DER', ...files, ...form)
      return [name as Name, readFileSync(join(folder, 'signed')).toString('base64')]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const millions = 1_000_000

function zeros(...head: number[]): string {
  const bytes = new Uint8Array(10 * millions + head.length)
  bytes.set(head)
  return base64(bytes)
}

/** Invalid input that must be rejected quickly, such as deep nesting. */
export const hostile: Record<string, string> = {
  'a length of 1 GB': base64(Uint8Array.of(0x30, 0x84, 0x40, 0, 0, 0, 6)),
  '1 000 000 nested tags': base64(new Uint8Array(2 * millions).map((_, i) => (i % 2 ? 0x80 : 0x30))),
  '10 MB of zeros': zeros(),
  '10 MB of zeros in a sequence': zeros(0x30, 0x83, 0x98, 0x96, 0x80),
  '10 MB of text': 'Hello, world! '.repeat(700_000),
  'billion laughs': `<!DOCTYPE l [${'<!ENTITY l "&l;&l;">'.repeat(30)}]><l>&l;</l>`,
  '100 000 nested elements': '<a>'.repeat(100_000),
  '1 000 000 elements': `<a>${'<b/>'.repeat(millions)}</a>`,
  '99 000 nodes': `<a>${'<b c=""/>'.repeat(49_000)}</a>`,
  '100 000 attributes': `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(' ')}/>`,
  '1 000 000 ampersands': `<a>${'&'.repeat(millions)}</a>`,
  '16 MB of text in XML': `<a>${'x'.repeat(16 * millions)}`,
}
