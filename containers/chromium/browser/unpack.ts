// node unpack.ts: unpacks the Chromium of @sparticuz/chromium into TMPDIR.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'

const bin = join(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '../../bin')

await Promise.all([chromium.executablePath(), inflate(join(bin, 'al2023.tar.br'))])
