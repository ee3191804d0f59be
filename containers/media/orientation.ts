// The eight ways in which a picture may lie in its file, as EXIF numbers them.
import type { Sharp } from 'sharp'

export interface PixelSize {
  width: number
  height: number
}

export interface Area extends PixelSize {
  left: number
  top: number
}

interface Turn {
  /** Rows of the file are columns of the picture. */
  isAcross: boolean
  /** The picture's beginning is at the file's right, or bottom. */
  fromRight: boolean
  fromBottom: boolean
  turn: (image: Sharp) => Sharp
}

const turn = (isAcross: boolean, fromRight: boolean, fromBottom: boolean, turn: Turn['turn']): Turn => ({
  isAcross,
  fromRight,
  fromBottom,
  turn,
})

const turns = [
  turn(false, false, false, (image) => image),
  turn(false, true, false, (image) => image.flop()),
  turn(false, true, true, (image) => image.rotate(180)),
  turn(false, false, true, (image) => image.flip()),
  turn(true, false, false, (image) => image.flop().rotate(270)),
  turn(true, false, true, (image) => image.rotate(90)),
  turn(true, true, true, (image) => image.flop().rotate(90)),
  turn(true, true, false, (image) => image.rotate(270)),
]

/** The size of a file's picture when it is turned, and the other way round. */
export function turnedSize({ width, height }: PixelSize, orientation: number): PixelSize {
  return of(orientation).isAcross ? { width: height, height: width } : { width, height }
}

/** Where an area of the turned picture lies in the file, whose size is given. */
export function areaInFile(file: PixelSize, { left, top, width, height }: Area, orientation: number): Area {
  const { isAcross, fromRight, fromBottom } = of(orientation)
  const area = isAcross ? { left: top, top: left, width: height, height: width } : { left, top, width, height }
  return {
    ...area,
    left: fromRight ? file.width - area.left - area.width : area.left,
    top: fromBottom ? file.height - area.top - area.height : area.top,
  }
}

/** Turns what a pipeline has made so far; sharp does it last as long as it is called last. */
export const turnImage = (image: Sharp, orientation: number) => of(orientation).turn(image)

const of = (orientation: number) => turns[orientation - 1]!
