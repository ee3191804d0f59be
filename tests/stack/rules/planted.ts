/**
 * Files of a small project without violations of the architecture rules: the components greeting and letter, and one
 * file of each other kind. Tests plant violations in it.
 */
export const clean: Record<string, string> = {
  'src/core/time.ts': `export const now = () => new Date()`,
  'src/core/http/api.ts': `export interface CoreEnv { LOG: string }\nexport const api = (env: CoreEnv) => env`,
  'src/core/db/kit.ts': `export const defineSchema = (name: string) => name`,
  'src/gateway/route.ts': `import { now } from '#core/time'\nconst route = () => now()\nroute()`,
  'src/client/index.ts': `export const call = (path: string) => fetch(path)`,
  'src/console/pages/greeting/page.tsx': `import { call } from '#client/index'\nexport const Page = () => <p>{call('/greeting')}</p>`,
  'src/console/main.tsx': `import { Page } from './pages/greeting/page.tsx'\nconsole.log(Page)`,
  'src/greeting/bindings.ts': `import type { CoreEnv } from '#core/http/api'\nexport interface Env extends CoreEnv { NAME: string }`,
  'src/greeting/contract.ts': `import * as z from 'zod'\nexport const Greeting = z.object({ text: z.string() })\nexport type Greeting = z.output<typeof Greeting>`,
  'src/greeting/schema.ts': `import { defineSchema } from '#core/db/kit'\nimport type { Greeting } from './contract.ts'\nexport const schema = defineSchema('greeting' satisfies Greeting['text'])`,
  'src/greeting/greetings.ts': `import { eq } from 'drizzle-orm'\nimport { now } from '#core/time'\nimport type { Greeting } from './contract.ts'\nimport { schema } from './schema.ts'\nexport const listGreetings = (): Greeting[] => [{ text: String(eq(schema, now())) }]`,
  'src/greeting/index.ts': `import * as z from 'zod'\nimport { api } from '#core/http/api'\nimport type { Env } from './bindings.ts'\nimport * as wire from './contract.ts'\nimport { listGreetings } from './greetings.ts'\nexport const greeting = (env: Env) => [api(env), z.array(wire.Greeting).parse(listGreetings())]`,
  'src/letter/index.ts': `import type { Greeting } from '#greeting/contract'\nexport const letter = ({ text }: Greeting) => text`,
  'src/queue/tasks.ts': `export const path = '/tasks'`,
  'src/queue/index.ts': `import { path } from './tasks.ts'\nexport const queue = path`,
  'workers/greeting/index.ts': `import { greeting } from '#greeting/index'\nexport default greeting`,
  'workers/letter/index.ts': `import { letter } from '#letter/index'\nexport default letter`,
  'workers/queue/index.ts': `import { queue } from '#queue/index'\nexport default queue`,
  'containers/shared/reply.ts': `export const reply = 'done'`,
  'containers/video/server.ts': `import { reply } from '../shared/reply.ts'\nconsole.log(reply)`,
  'containers/paper/server.ts': `import { reply } from '../shared/reply.ts'\nconsole.log(reply)`,
  'scripts/lib/random.ts': `export const random = () => 4`,
  'scripts/soak.ts': `import { load } from './soak/load.ts'\nload()`,
  'scripts/soak/load.ts': `import { now } from '#core/time'\nimport { random } from '../lib/random.ts'\nexport const load = () => [now(), random()]`,
  'bench/letter.ts': `import { random } from '../scripts/lib/random.ts'\nexport const bench = random`,
  'tests/greeting/greetings.test.ts': `import { listGreetings } from '#greeting/greetings'\nimport { ask } from '../support/requests.ts'\nask(listGreetings())`,
  'tests/support/requests.ts': `export const ask = (value: unknown) => value`,
}

/** A file that is added to the small project, or replaces one of its files, and the violation that it causes. */
interface Planted {
  what: string
  rule: string
  path: string
  text: string
  /** More files of the project, so that the planted violation is the only one. */
  files?: Record<string, string>
}

/** The text of a file of the small project, with these lines in front. */
const withLines = (path: string, ...lines: string[]) => [...lines, clean[path]].join('\n')

export const planted: Planted[] = [
  {
    what: 'core that imports a component',
    rule: 'core-alone',
    path: 'src/core/page.ts',
    text: `import { listGreetings } from '#greeting/greetings'\nlistGreetings()`,
  },
  {
    what: 'core that imports a type of a component',
    rule: 'core-alone',
    path: 'src/core/page.ts',
    text: `const text: import('#greeting/contract').Greeting['text'] = ''\nconsole.log(text)`,
  },
  {
    what: 'core that names a component',
    rule: 'component-names',
    path: 'src/core/page.ts',
    text: `console.log('greeting')`,
  },
  {
    what: 'the gateway that imports a component on demand',
    rule: 'gateway-alone',
    path: 'src/gateway/page.ts',
    text: `await import('#letter/index')`,
  },
  {
    what: 'the gateway that names a component as the beginning of a path',
    rule: 'component-names',
    path: 'src/gateway/page.ts',
    text: `console.log(\`/letter/\${1}\`)`,
  },
  {
    what: 'the queue that names components in a list',
    rule: 'component-names',
    path: 'src/queue/workers.ts',
    text: `console.log('default letter'.split(' '))`,
  },
  {
    what: 'a component that imports a value of another component',
    rule: 'component-isolation',
    path: 'src/letter/letters.ts',
    text: `import { schema } from '#greeting/schema'\nconsole.log(schema)`,
  },
  {
    what: 'the console that imports core',
    rule: 'console-alone',
    path: 'src/console/clock.ts',
    text: `import { now } from '#core/time'\nnow()`,
  },
  {
    what: 'the client that imports core',
    rule: 'client-alone',
    path: 'src/client/clock.ts',
    text: `import { now } from '#core/time'\nnow()`,
  },
  {
    what: 'a relative path to another folder of src',
    rule: 'relative-paths',
    path: 'src/letter/letters.ts',
    text: `import { now } from '../core/time.ts'\nnow()`,
  },
  {
    what: 'a test that imports a file under src by a relative path',
    rule: 'relative-paths',
    path: 'tests/greeting/routes.test.ts',
    text: `import { now } from '../../src/core/time.ts'\nnow()`,
  },
  {
    what: 'a Worker that imports another Worker',
    rule: 'worker-imports',
    path: 'workers/letter/greeting.ts',
    text: `import greeting from '../greeting/index.ts'\nconsole.log(greeting)`,
  },
  {
    what: 'a container that imports a file of another container',
    rule: 'container-folders',
    path: 'containers/paper/video.ts',
    text: `import '../video/server.ts'`,
  },
  {
    what: 'a script that imports a file of another script',
    rule: 'script-folders',
    path: 'scripts/cost/load.ts',
    text: `import { load } from '../soak/load.ts'\nload()`,
  },
  {
    what: 'a script that imports a benchmark',
    rule: 'bench-folder',
    path: 'scripts/cost/load.ts',
    text: `import { bench } from '../../bench/letter.ts'\nbench()`,
  },
  {
    what: 'a benchmark that imports a file of a script',
    rule: 'bench-folder',
    path: 'bench/soak.ts',
    text: `import { load } from '../scripts/soak/load.ts'\nload()`,
  },
  {
    what: 'a script that imports tests',
    rule: 'no-tests',
    path: 'scripts/cost/ask.ts',
    text: `import { ask } from '../../tests/support/requests.ts'\nask(1)`,
  },
  {
    what: 'a component that imports a script',
    rule: 'component-isolation',
    path: 'src/letter/letters.ts',
    text: `import { random } from '../../scripts/lib/random.ts'\nrandom()`,
  },
  {
    what: 'a component that imports a type of a test',
    rule: 'component-isolation',
    path: 'src/letter/letters.ts',
    text: `const none: import('../../tests/support/requests.ts').ask | undefined = undefined\nconsole.log(none)`,
  },
  {
    what: 'a verb that imports index.ts',
    rule: 'layers',
    path: 'src/letter/letters.ts',
    text: `import { letter } from './index.ts'\nconsole.log(letter)`,
  },
  {
    what: 'a schema that imports a verb',
    rule: 'layers',
    path: 'src/letter/schema.ts',
    text: `import { letters } from './letters.ts'\nconsole.log(letters)`,
    files: { 'src/letter/letters.ts': 'export const letters = 1' },
  },
  {
    what: 'SQL in index.ts',
    rule: 'layers',
    path: 'src/greeting/index.ts',
    text: withLines('src/greeting/index.ts', `import { sql } from 'drizzle-orm'`, `sql.raw('')`),
  },
  {
    what: 'SQL in contract.ts',
    rule: 'layers',
    path: 'src/letter/contract.ts',
    text: `import { sql } from 'drizzle-orm'\nsql.raw('')`,
  },
  {
    what: 'a value in bindings.ts',
    rule: 'layers',
    path: 'src/letter/bindings.ts',
    text: `import { letters } from './letters.ts'\nconsole.log(letters)`,
    files: { 'src/letter/letters.ts': 'export const letters = 1' },
  },
  {
    what: 'an endpoint in a verb',
    rule: 'verbs-http',
    path: 'src/letter/letters.ts',
    text: `import { api } from '#core/http/api'\napi({ LOG: '' })`,
  },
  {
    what: 'a verb that takes a Request',
    rule: 'verbs-http',
    path: 'src/letter/letters.ts',
    text: `const send = (request: Request) => request.url\nconsole.log(send)`,
  },
  {
    what: 'a verb that makes a Response',
    rule: 'verbs-http',
    path: 'src/letter/letters.ts',
    text: `console.log(Response.json(1))`,
  },
  {
    what: 'a schema of the wire in a verb',
    rule: 'wire-schemas',
    path: 'src/letter/letters.ts',
    text: `import { z } from 'zod'\nz.string().parse(1)`,
  },
  {
    what: 'a schema of the wire in index.ts',
    rule: 'wire-schemas',
    path: 'src/greeting/index.ts',
    text: withLines('src/greeting/index.ts').replace('wire.Greeting', 'z.int()').replace('* as wire', 'type {}'),
    files: { 'src/greeting/checks.ts': `import { Greeting } from './contract.ts'\nGreeting.parse(1)` },
  },
  {
    what: 'files that import each other',
    rule: 'cycles',
    path: 'src/letter/letters.ts',
    text: `import { stamp } from './stamps.ts'\nexport const letters = () => stamp`,
    files: { 'src/letter/stamps.ts': `import { letters } from './letters.ts'\nexport const stamp = () => letters` },
  },
  {
    what: 'files that import types of each other',
    rule: 'cycles',
    path: 'src/letter/letters.ts',
    text: `import type { Stamp } from './stamps.ts'\nexport interface Letter { stamp: Stamp }`,
    files: {
      'src/letter/stamps.ts': `import type { Letter } from './letters.ts'\nexport interface Stamp { of: Letter }`,
    },
  },
  {
    what: 'an exported name that only its own file uses',
    rule: 'unused-exports',
    path: 'src/letter/letters.ts',
    text: `export const letters = 1\nconsole.log(letters)`,
  },
  {
    what: 'an export that a namespace import does not use',
    rule: 'unused-exports',
    path: 'src/greeting/contract.ts',
    text: withLines('src/greeting/contract.ts', 'export const unused = 1'),
  },
  {
    what: 'an exported type with the name of another one',
    rule: 'type-names',
    path: 'scripts/lib/greeting.ts',
    text: 'export type Greeting = string',
    files: {
      'scripts/soak/greet.ts': `import type { Greeting } from '../lib/greeting.ts'\nconsole.log('' as Greeting)`,
    },
  },
  {
    what: 'a file of more than 300 lines',
    rule: 'file-length',
    path: 'src/letter/letters.ts',
    text: '\n'.repeat(300),
  },
]
