/** Names of the files in the folder of a transcoding job. */
export const fileNames = { source: 'source', video: 'video.mp4', preview: 'preview.jpg' }
