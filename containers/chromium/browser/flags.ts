// Command-line flags with which Chromium opens untrusted documents, so that they reach the network only through their
// egress proxy.
import puppeteer from 'puppeteer-core'

/**
 * Default proxy of the browser, which does not exist: traffic that belongs to no document, such as updates of the
 * browser, gets no connection.
 */
const deadProxy = 'http://nowhere.invalid:1'

const flags = [
  '--remote-debugging-pipe',
  '--lang=en-US',
  '--disable-gpu',
  // Together, these flags make the proxy of each document its only way to the network: Chromium resolves no names
  // itself, and bypasses the proxy for no address.
  `--proxy-server=${deadProxy}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-component-update',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--noerrdialogs',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-file-system',
  '--font-render-hinting=none',
  // Memory limit of a page's scripts in MB. A page that exceeds it crashes alone, before the machine runs out of
  // memory.
  '--js-flags=--max-old-space-size=1024',
]

/** Default flags of puppeteer that are removed: they suit tests, but make untrusted pages less isolated. */
const removedFlags = new Set([
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-automation',
  '--allow-pre-commit-input',
])

/** The command-line arguments of a browser whose profile is in a folder. */
export async function flagsFor(executable: string, profile: string): Promise<string[]> {
  // A full Chromium needs another headless mode than the headless shell.
  const headless = /headless.shell/.test(executable) ? 'shell' : true
  const args = await puppeteer.defaultArgs({ headless, args: [...flags, `--user-data-dir=${profile}`] })
  return args.filter((arg) => !removedFlags.has(arg))
}
