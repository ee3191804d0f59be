import puppeteer from 'puppeteer-core'

/** Leads nowhere: what belongs to no document gets no connection. */
const nowhere = 'http://nowhere.invalid:1'

const flags = [
  '--remote-debugging-pipe',
  '--lang=en-US',
  '--disable-gpu',
  // The proxy of each document is all that there is: Chromium resolves no name, and goes around it for no address.
  `--proxy-server=${nowhere}`,
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
  // What a page's scripts may hold; past it the page ends, and not the machine.
  '--js-flags=--max-old-space-size=1024',
]

/** What puppeteer would have a test do, and a stranger's page must not. */
const unwanted = new Set([
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-automation',
  '--allow-pre-commit-input',
])

/** The arguments of a browser that has its profile in a folder. */
export async function flagsFor(executable: string, profile: string): Promise<string[]> {
  // A browser with a window has another headless mode than the one without.
  const headless = /headless.shell/.test(executable) ? 'shell' : true
  const args = await puppeteer.defaultArgs({ headless, args: [...flags, `--user-data-dir=${profile}`] })
  return args.filter((arg) => !unwanted.has(arg))
}
