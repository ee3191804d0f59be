import type { Told } from './audience.ts'

const heartbeat = 15_000
const mostWaiting = 1_000

/**
 * What a socket from an audience brings, all that waits at once; nothing now and then, when there has been nothing. It ends
 * with the socket, and when more waits than a listener can take, who is told so by `onFull` and has to come again.
 */
export class Inbox implements AsyncIterable<Told | undefined> {
  #waiting: Told[] = []
  #wake: () => void = () => undefined
  #open = true

  constructor(socket: WebSocket, onFull: () => void) {
    socket.accept()
    socket.addEventListener('message', ({ data }) => {
      if (!this.#open) return
      this.#waiting.push(JSON.parse(data as string) as Told)
      this.#wake()
      if (this.#waiting.length <= mostWaiting) return
      this.#waiting = []
      this.end()
      socket.close()
      onFull()
    })
    for (const end of ['close', 'error'] as const) socket.addEventListener(end, () => this.end())
  }

  async *[Symbol.asyncIterator]() {
    while (this.#open) {
      if (this.#waiting.length === 0) await this.#arrival()
      const arrived = this.#waiting
      this.#waiting = []
      if (arrived.length === 0 && !this.#open) return
      yield arrived.length === 0 ? undefined : joined(arrived)
    }
  }

  end() {
    this.#open = false
    this.#wake()
  }

  #arrival() {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, heartbeat)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const joined = (told: Told[]): Told => ({
  records: told.flatMap(({ records }) => records),
  changes: told.flatMap(({ changes }) => changes),
})
