// A client in a process of its own: `node tus-client.ts <endpoint> <bytes>`. It says its upload's address, and is killed
// when a part of its only PATCH is on its way: by itself, since anybody else would come too late now and then.
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
