/** UTF-8 bytes of a document's title and text together. */
export const bytesOf = ({ title, text }: { title?: string | null | undefined; text: string }) =>
  bytesIn(text) + (title ? bytesIn(title) : 0)

const encoder = new TextEncoder()

const bytesIn = (text: string) => encoder.encode(text).length
