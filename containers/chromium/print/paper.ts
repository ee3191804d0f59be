// The sheet that a document is printed on.
import { HttpError, invalid } from '../../shared/http-error.ts'
import { inchesOf } from './lengths.ts'

/** All in inches, turned already. */
export interface Sheet {
  width: number
  height: number
  margin: Record<'top' | 'right' | 'bottom' | 'left', number>
  /** The caller chose a size, which then wins over what CSS gives. */
  isChosen: boolean
}

const formats: Record<string, [width: number, height: number]> = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
  a0: [33.1102, 46.811],
  a1: [23.3858, 33.1102],
  a2: [16.5354, 23.3858],
  a3: [11.6929, 16.5354],
  a4: [8.2677, 11.6929],
  a5: [5.8268, 8.2677],
  a6: [4.1339, 5.8268],
}

/** In inches: what Chromium leaves when it prints for people. */
const usualMargin = 0.4

/** In inches: five metres, as PDF readers take it. */
const longest = 200

type Body = Record<string, unknown>

/** Refuses sizes that are none, and margins that leave nothing of the page. */
export function paperOf(body: Body): Sheet {
  const [width, height] = sizeOf(body)
  const landscape = body.landscape ?? false
  if (typeof landscape !== 'boolean') throw invalid('landscape')
  const margin = {
    top: marginOf(body, 'margin_top'),
    right: marginOf(body, 'margin_right'),
    bottom: marginOf(body, 'margin_bottom'),
    left: marginOf(body, 'margin_left'),
  }
  const turned = landscape ? { width: height, height: width } : { width, height }
  if (margin.left + margin.right >= turned.width || margin.top + margin.bottom >= turned.height)
    throw new HttpError(400, 'validation_failed', 'The margins leave nothing of the page')
  const isChosen = landscape || [body.format, body.width].some((value) => value !== undefined && value !== null)
  return { ...turned, margin, isChosen }
}

function sizeOf({ format, width, height }: Body): [number, number] {
  const isGiven = (value: unknown) => value !== undefined && value !== null
  if (!isGiven(width) && !isGiven(height)) return formatOf(format ?? 'a4')
  if (isGiven(format)) throw invalid('format')
  return [sideOf(width, 'width'), sideOf(height, 'height')]
}

function formatOf(value: unknown): [number, number] {
  const format =
    typeof value === 'string' && Object.hasOwn(formats, value.toLowerCase()) && formats[value.toLowerCase()]
  if (!format) throw invalid('format')
  return format
}

function sideOf(value: unknown, name: string): number {
  const inches = inchesOf(value)
  if (inches === undefined || inches < 1 / 96 || inches > longest) throw invalid(name)
  return inches
}

function marginOf(body: Body, name: string): number {
  const value = body[name]
  if (value === undefined || value === null) return usualMargin
  const inches = inchesOf(value)
  if (inches === undefined || inches > longest) throw invalid(name)
  return inches
}
