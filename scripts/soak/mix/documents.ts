// Operations of signature and pdf in the load of a soak test.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { has } from '../../lib/programs.ts'
import type { ComponentMix, SoakWorld } from './operation.ts'

/** Signatures in base64 that OpenSSL makes at the start, with P-256, of contents of several sizes. */
const cms: string[] = []

function sign() {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-soak-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
    openssl('req', '-x509', ...key, '-out', 'cert.pem', '-subj', '/CN=Soak')
    for (const size of [100, 10_000, 200_000]) {
      writeFileSync(join(folder, 'content'), Buffer.alloc(size, 'Lorem ipsum dolor sit amet. '))
      const form = ['-binary', '-nodetach', '-outform', 'DER', '-in', 'content', '-out', 'signed']
      openssl('cms', '-sign', ...form, '-signer', 'cert.pem', '-inkey', 'key.pem')
      cms.push(readFileSync(join(folder, 'signed')).toString('base64'))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function save(world: SoakWorld) {
  const { ask, random, unique } = world
  const record = { document: `document${random.between(1, 20)}`, thread: unique() }
  const of = `document=${record.document}&thread=${record.thread}`
  const body = { ...record, tags: ['signed', `day${random.between(1, 30)}`], cms: cms[random.between(0, 2)] }
  await ask('POST', '/signature/signature', { body: { ...body, version: 0 } })
  await ask('POST', '/signature/signature', { body: { ...body, version: 1 } })
  await ask('GET', `/signature/signature?${of}`)
  if (random.share() < 1 / 4) await ask('DELETE', `/signature/signature?${of}`)
}

export const signature: ComponentMix = {
  prepare: async (world) => {
    sign()
    await save(world)
  },
  operations: [
    { name: 'signature: save twice, read', weight: 2, run: save },
    {
      name: 'signature: verify',
      weight: 2,
      run: async ({ ask, random }) => {
        const { bytes } = await ask('POST', '/signature/signature/verify', { body: { cms: cms[random.between(0, 2)] } })
        if (!bytes.includes('"valid"')) throw new Error('A signature that is valid was not found to be')
      },
    },
    {
      name: 'signature: list',
      weight: 2,
      run: async ({ ask, random }) => {
        await ask('GET', `/signature/signatures?tags=day${random.between(1, 30)},none&limit=10`)
      },
    },
  ],
}

const html = '<h1>Invoice</h1><p>Paid, with thanks.</p>'

export const pdf: ComponentMix = {
  operations: has('chromium')
    ? [
        {
          name: 'pdf: print a page',
          weight: 0.2,
          run: async ({ ask, unique }) => {
            const { bytes } = await ask('POST', '/pdf/pdf', {
              body: { html: `${html}<p>${unique()}</p>`, format: 'A5' },
            })
            if (!bytes.toString('latin1').startsWith('%PDF-')) throw new Error('The printed file is not a PDF')
          },
        },
      ]
    : [],
}
