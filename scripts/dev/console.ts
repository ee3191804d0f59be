// Serves the console with Vite's development server and hot module replacement, and the guide as built files.
import { once } from 'node:events'
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import prefresh from '@prefresh/vite'
import { createServer as createVite, type InlineConfig } from 'vite'
import { consoleOptions } from '../site/console.ts'
import { host } from '../stack/port.ts'

/** The only folders that Vite may serve. Others hold secrets, such as the state folder. */
const servedFolders = ['src', 'node_modules']

/**
 * Starts Vite for the console, and serves its files to the gateway at a local address. Browsers connect to the server
 * `front` for updates.
 */
export async function serveConsole(front: Server, site: string): Promise<string> {
  const config: InlineConfig = {
    ...consoleOptions,
    plugins: [await prefresh()],
    cacheDir: resolve('.build/vite'),
    server: {
      middlewareMode: true,
      hmr: { server: front },
      cors: false,
      // The host that the gateway sends. Vite may accept it, since the gateway has checked the host of the browser's
      // request.
      allowedHosts: ['site'],
      fs: { allow: servedFolders.map((folder) => realpathSync(folder)) },
    },
  }
  const vite = await createVite(config)
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url!, 'http://site')
    if (pathname === '/console') return void answer.writeHead(307, { location: '/console/' }).end()
    if (pathname.startsWith('/console/')) return vite.middlewares(request, answer)
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

/** Serves a page of the guide, named without `.html`, or another file of the guide. */
function serveFile(path: string, answer: ServerResponse) {
  const file = [path, `${path}.html`, join(path, 'index.html')].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  )
  if (!file) return void answer.writeHead(404).end()
  answer.setHeader('content-type', contentTypes[extname(file)] ?? 'application/octet-stream')
  createReadStream(file).pipe(answer)
}
