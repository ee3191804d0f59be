// Tests that the examples in docs/queue.md, in three languages, accept the queue's signatures and refuse all others.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const guide = readFileSync('docs/queue.md', 'utf8')

const exampleIn = (language: string): string => {
  const [, code] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide) ?? []
  if (code === undefined) throw new Error(`docs/queue.md has no example in ${language}`)
  return code
}

/** Files for each language, and the command that prints `true` or `false` for the request in `request.json`. */
const languages: Record<string, { files: Record<string, string>; command: string[] }> = {
  js: {
    files: {
      'verify.mjs': exampleIn('js'),
      'run.mjs': `import { readFileSync } from 'node:fs'
import { isFromQueue } from './verify.mjs'
const { headers, body, keys } = JSON.parse(readFileSync('request.json', 'utf8'))
console.log(isFromQueue(headers, Buffer.from(body, 'base64'), keys))`,
    },
    command: [process.execPath, 'run.mjs'],
  },
  python: {
    files: {
      'verify.py': exampleIn('python'),
      'run.py': `import base64, json
from verify import is_from_queue
request = json.load(open("request.json"))
print(str(is_from_queue(request["headers"], base64.b64decode(request["body"]), request["keys"])).lower())`,
    },
    command: ['python3', 'run.py'],
  },
  java: {
    files: {
      // The first class of a file is run: the arguments are the headers, the body and the keys.
      'Run.java': exampleIn('java').replace(
        'class QueueSignature',
        `class Run {
    public static void main(String[] args) throws Exception {
        var headers = Map.of("webhook-id", args[0], "webhook-timestamp", args[1], "webhook-signature", args[2]);
        var keys = List.of(args).subList(4, args.length);
        System.out.println(QueueSignature.isFromQueue(headers, Base64.getDecoder().decode(args[3]), keys));
    }
}

class QueueSignature`,
      ),
    },
    command: ['java', 'Run.java'],
  },
}

const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const isInstalled: Record<string, boolean> = {
  js: true,
  python: works('python3', '-c', 'import cryptography'),
  java: works('java', '--version'),
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signatures-'))
  for (const { files } of Object.values(languages))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const xOf = (key: KeyObject) => key.export({ format: 'jwk' }).x!

interface SignedRequest {
  headers: Record<string, string>
  body: string
  keys: string[]
}

function signedRequest(): SignedRequest {
  const [one, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const body = Buffer.from('{"a":"ü"}\0')
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const message = Buffer.concat([Buffer.from(`default-12:1-5.${timestamp}.`), body])
  const signatures = [one, other].map(({ privateKey }) => `v1a,${sign(null, message, privateKey).toString('base64')}`)
  return {
    headers: {
      'webhook-id': 'default-12:1-5',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA ${signatures.join(' ')}`,
    },
    body: body.toString('base64'),
    keys: [xOf(generateKeyPairSync('ed25519').publicKey), xOf(other.publicKey)],
  }
}

function isAccepted(language: string, { headers, body, keys }: SignedRequest): boolean {
  const [program = '', ...args] = languages[language]!.command
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ headers, body, keys }))
  const request = language === 'java' ? [...Object.values(headers), body, ...keys] : []
  return execFileSync(program, [...args, ...request], { cwd: folder, encoding: 'utf8' }).trim() === 'true'
}

describe.each(Object.keys(languages))('the example in %s', (language) => {
  it.skipIf(!isInstalled[language])('accepts the signatures of the queue, and no others', { timeout: 60_000 }, () => {
    const request = signedRequest()
    expect(isAccepted(language, request)).toBe(true)
    expect(isAccepted(language, { ...request, body: Buffer.from('{}').toString('base64') })).toBe(false)
    expect(isAccepted(language, { ...request, keys: request.keys.slice(0, 1) })).toBe(false)
    const old = { ...request.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 400) }
    expect(isAccepted(language, { ...request, headers: old })).toBe(false)
  })
})
