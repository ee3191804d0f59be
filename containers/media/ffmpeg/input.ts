// Arguments with which ffmpeg and ffprobe open an untrusted file without reading any other file or address.

/**
 * The allowed demuxers: those that read only the given file. Others are refused: playlists, scripts and image sequences
 * (hls, dash, concat, image2, sdp, …) could name any other file of this machine.
 */
const demuxers = [
  ...['mov', 'matroska', 'avi', 'mpegts', 'mpegtsraw', 'mpeg', 'mpegvideo', 'flv', 'live_flv', 'kux', 'asf', 'asf_o'],
  ...['gif', 'apng', 'ogg', 'rm', 'dv', 'mxf', 'wtv', 'nut', 'nsv', 'ivf', 'obu', 'av1', 'h264', 'hevc', 'm4v', 'vc1'],
  ...[
    'vc1test',
    'h263',
    'h261',
    'swf',
    'gxf',
    'mjpeg',
    'mjpeg_2000',
    'yuv4mpegpipe',
    'avs',
    'avs2',
    'avs3',
    'cavsvideo',
  ],
  ...['dirac', 'smk', 'bink', 'roq', 'xmv', 'ea', 'fli', 'nuv', 'mtv', 'ty', 'pva', 'thp', 'viv', 'mve', 'film_cpk'],
  ...['wav', 'mp3', 'flac', 'aac', 'aiff', 'caf', 'amr'],
]

export type Input = 'pipe:0' | `file:${string}`

/** Input arguments of ffmpeg and ffprobe: they open this input, and no other file or network address. */
export const inputOf = (input: Input, { maxPixels }: { maxPixels: number }): string[] => [
  ...['-protocol_whitelist', input === 'pipe:0' ? 'pipe' : 'file'],
  ...['-format_whitelist', demuxers.join(',')],
  ...['-max_pixels', String(maxPixels)],
  ...['-i', input],
]
