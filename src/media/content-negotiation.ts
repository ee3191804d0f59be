// Chooses the format of a thumbnail by the HTTP header Accept of the request.
import { type Accept, parseAccept } from 'hono/utils/accept'
import type { ImageFormat, ImageKind } from './engines/engine.ts'

/**
 * Chooses the format of a rendition: the requested format, else WebP or AVIF if the `Accept` header lists one (the one with the
 * higher quality value, WebP if they are equal), else the format of the image. Wildcards are ignored: clients that send them may
 * support neither format.
 */
export function negotiateFormat<Own extends ImageKind | undefined>(
  requested: ImageFormat | undefined,
  accept: string | null | undefined,
  own: Own,
): ImageFormat | Own {
  if (requested) return requested
  const listed = accept ? parseAccept(accept) : []
  const [webp, avif] = [qualityOf(listed, 'image/webp'), qualityOf(listed, 'image/avif')]
  if (webp === 0 && avif === 0) return own
  return avif > webp ? 'avif' : 'webp'
}

/** Returns the quality value of a media type in the Accept header; 0 if the header does not list the type. */
const qualityOf = (listed: Accept[], type: string) =>
  Math.max(0, ...listed.flatMap((one) => (one.type.toLowerCase() === type ? one.q : [])))
