// A tus client in a separate process: `node tus-client.ts <endpoint> <bytes>`. It prints the address of its upload, and
// kills itself when half of its only PATCH is sent. Another process could be too late to kill it.
import { Upload } from 'tus-js-client'
import { noise } from './noise.ts'

const [endpoint = '', size = ''] = process.argv.slice(2)
const upload = new Upload(noise(Number(size)), {
  endpoint,
  metadata: { filename: 'noise.bin' },
  onUploadUrlAvailable: () => console.log(upload.url),
  onProgress: (sent, total) => sent > total / 2 && process.kill(process.pid, 'SIGKILL'),
})
upload.start()
