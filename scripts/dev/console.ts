// The console by Vite's development server, with hot module replacement, and the guide as it was built.
import { once } from 'node:events'
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import prefresh from '@prefresh/vite'
import { createServer as createVite, type InlineConfig } from 'vite'
import { consoleOptions } from '../site/console.ts'
import { host } from '../stack/port.ts'

/** Nothing else of the repository is served: the state folder has secrets. */
const servedFolders = ['src', 'node_modules']

/** Serves the files that the gateway asks for, at an address of this machine. Browsers connect to `front` for updates. */
export async function serveConsole(front: Server, site: string): Promise<string> {
  const config: InlineConfig = {
    ...consoleOptions,
    plugins: [await prefresh()],
    cacheDir: resolve('.build/vite'),
    server: {
      middlewareMode: true,
      hmr: { server: front },
      cors: false,
      // The gateway has checked the host of the browser's request, and asks under this one.
      allowedHosts: ['site'],
      fs: { allow: servedFolders.map((folder) => realpathSync(folder)) },
    },
  }
  const vite = await createVite(config)
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url!, 'http://site')
    if (pathname === '/console') return void answer.writeHead(307, { location: '/console/' }).end()
    if (pathname.startsWith('/console/')) return vite.middlewares(asked, answer)
    serveFile(join(site, pathname), answer)
  })
  await once(server.listen(0, host), 'listening')
  return `${host}:${(server.address() as AddressInfo).port}`
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Serves a page of the guide, named without `.html`, or a file of one. */
function serveFile(path: string, answer: ServerResponse) {
  const file = [path, `${path}.html`, join(path, 'index.html')].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  )
  if (!file) return void answer.writeHead(404).end()
  answer.setHeader('content-type', contentTypes[extname(file)] ?? 'application/octet-stream')
  createReadStream(file).pipe(answer)
}
