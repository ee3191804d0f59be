// node unpack.ts: unpacks the Chromium of the npm package @sparticuz/chromium into TMPDIR. npm-chromium.ts starts this
// script.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'

const bin = join(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '../../bin')

await Promise.all([chromium.executablePath(), inflate(join(bin, 'al2023.tar.br'))])
