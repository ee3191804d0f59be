// Adds the conversions of bytes that workerd has and this version of Node lacks.

const decode = (encoding: 'base64' | 'base64url' | 'hex') => (text: string) =>
  new Uint8Array(Buffer.from(text, encoding))

interface Options {
  alphabet?: 'base64' | 'base64url'
}

const additions = {
  fromHex: decode('hex'),
  fromBase64: (text: string, { alphabet = 'base64' }: Options = {}) => decode(alphabet)(text),
}

const methods = {
  toHex(this: Uint8Array) {
    return Buffer.from(this).toString('hex')
  },
  toBase64(this: Uint8Array, { alphabet = 'base64' }: Options = {}) {
    return Buffer.from(this).toString(alphabet)
  },
}

Object.assign(Uint8Array, additions)
Object.assign(Uint8Array.prototype, methods)
