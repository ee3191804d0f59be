// The Worker that measures parsing and verification of signatures, compared with other libraries.
import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom'
import { fromBER } from 'asn1js'
import { ContentInfo, SignedData } from 'pkijs'
import { parseSignedData } from '../../src/signature/signed/parser.ts'
import { verifySignedData } from '../../src/signature/signed/verifier.ts'

type Work = () => unknown

/** The measured functions, by name. */
const works: Record<string, (text: string) => Promise<Work>> = {
  parse: async (text) => () => parseSignedData(text),
  verify: async (text) => {
    const { bytes, format } = await parseSignedData(text)
    return () => verifySignedData(bytes, format)
  },
  'parse by pkijs': async (text) => () => signedDataOf(Uint8Array.fromBase64(text)),
  'verify by pkijs': async (text) => {
    const bytes = Uint8Array.fromBase64(text)
    return () => signedDataOf(bytes).verify({ signer: 0, checkChain: false })
  },
  'parse by xmldom': async (text) => () =>
    new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml'),
}

function signedDataOf(bytes: Uint8Array<ArrayBuffer>): SignedData {
  const { result } = fromBER(bytes)
  return new SignedData({ schema: new ContentInfo({ schema: result }).content })
}

const rounds = 9
const atLeast = 20

/** Runs a function repeatedly on the body. Returns the milliseconds of one run in each round. */
export default {
  async fetch(request: Request) {
    const name = new URL(request.url).searchParams.get('work')!
    const work = await works[name]!(await request.text())
    const times = await repetitionsOf(work)
    const rows: number[] = []
    for (let i = 0; i < rounds; i++) rows.push((await timeOf(work, times)) / times)
    return Response.json(rows)
  },
}

/** The number of runs after which a clock of milliseconds can measure the duration. The code is warm afterwards. */
async function repetitionsOf(work: Work): Promise<number> {
  let times = 1
  while ((await timeOf(work, times)) < atLeast) times *= 2
  return times
}

async function timeOf(work: Work, times: number): Promise<number> {
  const before = performance.now()
  for (let i = 0; i < times; i++) await settled(work)
  return performance.now() - before
}

/** Runs the function, and ignores its error, since rejecting a signature takes time too. */
async function settled(work: Work) {
  try {
    await work()
  } catch {
    // An error means that the signature was rejected.
  }
}
