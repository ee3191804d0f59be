/** All that R2 has of an item lies under this. */
export const prefixOf = (digest: string) => `${digest}/`

/** An item as it was uploaded. */
export const fileKey = (digest: string) => `${digest}/file`

/** A video as it is downloaded. */
export const videoKey = (digest: string) => `${digest}/video`

/** A frame of a video, a JPEG of its full size. */
export const previewKey = (digest: string) => `${digest}/preview`

/** A picture, or a frame of a video, in another size. */
export const renditionKey = (digest: string, name: string) => `${digest}/rendition/${name}`

/** What has arrived of an upload beyond its last part, as it was at that offset. */
export const tailKey = (digest: string, offset: number) => `${digest}/tail/${offset}`
