// The keys under which R2 stores the objects of an item.

/** Prefix of all objects of an item in R2. */
export const prefixOf = (digest: string) => `${digest}/`

/** The uploaded file. */
export const fileKey = (digest: string) => `${digest}/file`

/** The transcoded mp4 of a video. */
export const videoKey = (digest: string) => `${digest}/video`

/** The default frame of a video: a JPEG in full size. */
export const previewKey = (digest: string) => `${digest}/preview`

/** A rendition of an image or of a frame. */
export const renditionKey = (digest: string, name: string) => `${digest}/rendition/${name}`

/** The bytes of a tus upload after its last complete part, at an offset. */
export const tailKey = (digest: string, offset: number) => `${digest}/tail/${offset}`
