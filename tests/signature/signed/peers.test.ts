// Verifies signatures that BouncyCastle and the JDK have made.
import { expect, inject, it } from 'vitest'
import { parseSignedData } from '#signature/signed/parser'
import { verifySignedData } from '#signature/signed/verifier'
import { content, serial } from '../../support/signed/keys.ts'

const { kept } = inject('signed')

const rsa = { subject: 'CN=rsa of Java', algorithm: 'RSA with SHA-256', covers: ['content'], countersigns: null }
const p256 = { ...rsa, subject: 'CN=p256 of Java', algorithm: 'ECDSA with SHA-256' }
const ed25519 = { ...rsa, subject: 'CN=ed25519 of Java', algorithm: 'Ed25519' }

/** Fixtures that BouncyCastle (`bc-`) and the JDK (`jdk-`) have made, with the expected signers. */
const peers: [string, object[]][] = [
  ['bc-ed25519', [ed25519]],
  ['bc-ed25519-noattr', [ed25519]],
  ['bc-several', [p256, ed25519, rsa, { ...rsa, algorithm: 'RSA-PSS with SHA-256' }]],
  ['bc-stream', [p256, rsa]],
  [
    'bc-countersigned',
    [
      rsa,
      p256,
      { ...p256, countersigns: 1, covers: ['signature'] },
      { ...ed25519, countersigns: 2, covers: ['signature'] },
    ],
  ],
  ['jdk-pss', [{ ...rsa, algorithm: 'RSA-PSS with SHA-256', covers: ['document'] }]],
  ['jdk-pss-parameters', [{ ...rsa, algorithm: 'RSA-PSS with SHA-512', covers: ['document'] }]],
  [
    'jdk-several',
    [
      { ...p256, covers: ['#first'] },
      { ...p256, covers: ['#second'] },
    ],
  ],
]

it.each(peers)('%s is valid', async (name, signers) => {
  const { bytes, format } = await parseSignedData(kept[name]!)
  expect(await verifySignedData(bytes, format)).toMatchObject({
    result: 'valid',
    signers: signers.map((signer) => ({ ...signer, result: 'valid', reason: null, weak: false, serial: '07' })),
  })
})

it.each([
  ['gost2001', 'GOST R 34.10-2001'],
  ['gost2012_256', 'GOST R 34.10-2012 (256)'],
  ['gost2012_512', 'GOST R 34.10-2012 (512)'],
])('of %s the signers are read, and it is neither valid nor invalid', async (name, algorithm) => {
  const { bytes, format, signers } = await parseSignedData(kept[name]!)
  expect(signers).toEqual([
    {
      subject: 'CN=Иванов Иван,O=ООО \\"Ромашка\\",C=RU',
      issuer: 'CN=Иванов Иван,O=ООО \\"Ромашка\\",C=RU',
      serial: serial.slice(2),
      key_id: null,
      signed_at: expect.any(Date),
      algorithm: expect.stringContaining(algorithm.split(' (')[0]!),
      countersigns: null,
    },
  ])
  for (const input of [undefined, content, `${content}!`]) {
    const { result } = await verifySignedData(bytes, format, input === undefined ? undefined : utf8(input))
    expect(result).toBe('unsupported')
  }
})

const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))
