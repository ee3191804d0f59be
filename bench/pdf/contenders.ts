// The programs that the PDF benchmark compares (contenders), in a separate process: node bench/pdf/contenders.ts <a
// folder>. Each prints invoices as fast as possible.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import puppeteer, { type Browser } from 'puppeteer-core'
import { findChromium } from '../../containers/chromium/browser/executable.ts'
import { pathOf } from '../../scripts/lib/programs.ts'
import type { Measured } from '../load.ts'
import { serve } from '../queue/remote.ts'
import { invoice, options } from './document.ts'

const folder = process.argv[2]!

/** A measurement, with the number of documents including those of the warm-up. */
export interface PrintMeasurement extends Measured {
  documents: number
}

let browser: Browser | undefined

const verbs = {
  pid: () => process.pid,

  /** Prints with the PDF component: each client sends one request after the other. */
  service: (origin: string, clients: number, seconds: number) => measure(clients, seconds, (n) => ask(origin, n)),

  /** Prints this number of documents with the component, from several clients. */
  async documents(origin: string, clients: number, count: number): Promise<void> {
    let n = 0
    const client = async () => {
      while (n < count) await ask(origin, n++)
    }
    await Promise.all(Array.from({ length: clients }, client))
  },

  /** Starts the component's browser without the component, for the contender puppeteer. Returns its version. */
  async launch(): Promise<string> {
    const { path, libraries } = await findChromium(process.env.CHROMIUM, folder)
    browser = await puppeteer.launch({
      executablePath: path,
      headless: /headless.shell/.test(path) ? 'shell' : true,
      args: ['--no-sandbox', '--font-render-hinting=none'],
      pipe: true,
      env: { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
    })
    return browser.version()
  },
  puppeteer: (clients: number, seconds: number) => measure(clients, seconds, printDirectly),
  close: () => browser?.close(),

  /**
   * Prints with WeasyPrint: each client is a Python process that prints one document after the other, with its modules
   * loaded.
   */
  weasyprint: (clients: number, seconds: number) => inPython(clients, seconds),
  /** Prints with wkhtmltopdf, one process per document. */
  wkhtmltopdf: (clients: number, seconds: number) => measure(clients, seconds, byCommand),
}

export type Contenders = typeof verbs
serve(verbs)

async function ask(origin: string, n: number) {
  const response = await fetch(`${origin}/pdf`, { method: 'POST', body: JSON.stringify({ html: invoice(n) }) })
  const bytes = await response.bytes()
  if (!response.ok) throw new Error(`Answered ${response.status}: ${new TextDecoder().decode(bytes)}`)
}

/** Prints a document in a new browser context with puppeteer, and does not wait until the context closes. */
async function printDirectly(n: number) {
  const context = await browser!.createBrowserContext()
  const page = await context.newPage()
  await page.setContent(invoice(n), { waitUntil: 'load' })
  await page.pdf(options)
  void context.close()
}

async function byCommand(n: number) {
  const file = join(folder, `${n}.html`)
  writeFileSync(file, invoice(n))
  const child = spawn(pathOf('wkhtmltopdf')!, ['--quiet', file, join(folder, `${n}.pdf`)])
  await once(child, 'close')
}

const python = `
import json, sys, time
from weasyprint import HTML
page, seconds = open(sys.argv[1]).read(), float(sys.argv[2])
HTML(string=page).write_pdf()
times, began = [], time.perf_counter()
while time.perf_counter() - began < seconds:
    before = time.perf_counter()
    HTML(string=page).write_pdf()
    times.append((time.perf_counter() - before) * 1000)
print(json.dumps([times, time.perf_counter() - began]))
`

/** The Python interpreter in the first line of the command `weasyprint`, since it has the modules. */
const interpreter = () => /^#!(\S+)/.exec(readFileSync(pathOf('weasyprint')!, 'utf8'))?.[1] ?? 'python3'

async function inPython(clients: number, seconds: number): Promise<PrintMeasurement> {
  const file = join(folder, 'page.html')
  writeFileSync(file, invoice(0))
  const all = await Promise.all(
    Array.from({ length: clients }, async () => {
      const child = spawn(interpreter(), ['-c', python, file, String(seconds)], { stdio: ['ignore', 'pipe', 'ignore'] })
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      await once(child, 'close')
      return JSON.parse(text) as [number[], number]
    }),
  )
  const times = all.flatMap(([own]) => own)
  const rate = all.reduce((sum, [own, took]) => sum + own.length / took, 0)
  return { ...summary(times, rate), documents: times.length + clients }
}

const warmUp = 2_000

/**
 * Runs the clients, each of which repeats the work. The rate counts the documents between the first and the last
 * measured one.
 */
async function measure(
  clients: number,
  seconds: number,
  work: (n: number) => Promise<unknown>,
): Promise<PrintMeasurement> {
  const began = performance.now() + warmUp
  const ends = began + seconds * 1_000
  const times: number[] = []
  let n = 0
  let last = began
  const client = async () => {
    while (performance.now() < ends) {
      const before = performance.now()
      await work(n++)
      if (performance.now() < began) continue
      last = performance.now()
      times.push(last - before)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { ...summary(times, (times.length * 1_000) / (last - began)), documents: n }
}

function summary(times: number[], rate: number): Measured {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { rate, p50: at(0.5), p99: at(0.99), failed: 0 }
}
