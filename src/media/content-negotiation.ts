import { type Accept, parseAccept } from 'hono/utils/accept'
import type { ImageFormat, ImageKind } from './engines/engine.ts'

/**
 * The format of a rendition: the one that is asked for, else WebP or AVIF where the `Accept` header names it, the one
 * that it would rather have and WebP where it has no preference, else the picture's own. Wildcards name nothing: whoever sends them may know neither.
 */
export function negotiateFormat<Own extends ImageKind | undefined>(
  asked: ImageFormat | undefined,
  accept: string | null | undefined,
  own: Own,
): ImageFormat | Own {
  if (asked) return asked
  const named = accept ? parseAccept(accept) : []
  const [webp, avif] = [qualityOf(named, 'image/webp'), qualityOf(named, 'image/avif')]
  if (webp === 0 && avif === 0) return own
  return avif > webp ? 'avif' : 'webp'
}

/** 0 unless the header has the type. */
const qualityOf = (named: Accept[], type: string) =>
  Math.max(0, ...named.flatMap((one) => (one.type.toLowerCase() === type ? one.q : [])))
