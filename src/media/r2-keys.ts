// The keys under which R2 stores the objects of an item.

/** Prefix of the keys of all objects of an item in R2, by which they are deleted together. */
export const prefixOf = (digest: string) => `${digest}/`

/** Key of the uploaded file. */
export const fileKey = (digest: string) => `${digest}/file`

/** Key of the transcoded mp4 of a video. */
export const videoKey = (digest: string) => `${digest}/video`

/** Key of the default frame of a video: a JPEG in full size. */
export const previewKey = (digest: string) => `${digest}/preview`

/** Key of a rendition: a thumbnail of an image, or a frame of a video at a time and size. */
export const renditionKey = (digest: string, name: string) => `${digest}/rendition/${name}`

/**
 * Key of the last bytes of a tus upload, which do not fill a part yet. The offset in the key makes each tail a new object, so that
 * an interrupted write cannot damage the previous tail.
 */
export const tailKey = (digest: string, offset: number) => `${digest}/tail/${offset}`
