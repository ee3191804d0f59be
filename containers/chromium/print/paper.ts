// Parses the paper size, orientation and margins of POST /pdf, and converts them to inches.
import { HttpError, invalid } from '../../shared/http-error.ts'

/** Size of the paper in inches, with the orientation applied. */
export interface Sheet {
  width: number
  height: number
  margin: Record<'top' | 'right' | 'bottom' | 'left', number>
  /** Whether the caller chose the size. A chosen size overrides a size in the document's CSS. */
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

/** Margin on each side if the caller sets none: Chromium's default. */
const defaultMarginInches = 0.4

/** Maximum length of a side, about five metres: PDF readers do not accept longer pages. */
const maxLengthInches = 200

type Body = Record<string, unknown>

/** Reads paper size and margins. Throws `validation_failed` if one is not valid or the margins leave no space. */
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
  const oriented = landscape ? { width: height, height: width } : { width, height }
  if (margin.left + margin.right >= oriented.width || margin.top + margin.bottom >= oriented.height)
    throw new HttpError(400, 'validation_failed', 'The margins leave no space on the page. Reduce them.')
  const isChosen = landscape || [body.format, body.width].some((value) => value !== undefined && value !== null)
  return { ...oriented, margin, isChosen }
}

function sizeOf({ format, width, height }: Body): [number, number] {
  const isPresent = (value: unknown) => value !== undefined && value !== null
  if (!isPresent(width) && !isPresent(height)) return formatOf(format ?? 'a4')
  if (isPresent(format)) throw invalid('format')
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
  if (inches === undefined || inches < 1 / 96 || inches > maxLengthInches) throw invalid(name)
  return inches
}

function marginOf(body: Body, name: string): number {
  const value = body[name]
  if (value === undefined || value === null) return defaultMarginInches
  const inches = inchesOf(value)
  if (inches === undefined || inches > maxLengthInches) throw invalid(name)
  return inches
}

/** Units per inch. */
const unitsPerInch: Record<string, number> = { px: 96, in: 1, cm: 2.54, mm: 25.4, pt: 72, pc: 6 }

/** Converts a CSS length to inches; a number without a unit is in pixels. Undefined if it is not a length, or negative. */
function inchesOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [, amount, unit = 'px'] =
    /^\+?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|in|cm|mm|pt|pc)?$/i.exec(`${value}`.trim()) ?? []
  return amount === undefined ? undefined : Number(amount) / unitsPerInch[unit.toLowerCase()]!
}
