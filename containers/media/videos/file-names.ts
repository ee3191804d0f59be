/** What lies in a job's folder. */
export const names = { source: 'source', video: 'video.mp4', preview: 'preview.jpg' }
