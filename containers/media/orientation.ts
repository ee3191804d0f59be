// The effect of a JPEG's EXIF orientation (1 to 8) on sizes, areas and images of sharp. src/media/engines/orientation.ts does
// the same for the codecs of the Worker.
import type { Sharp } from 'sharp'

export interface PixelSize {
  width: number
  height: number
}

export interface Area extends PixelSize {
  left: number
  top: number
}

interface OrientationTransform {
  /** Whether the orientation swaps width and height: the rows of the file are the columns of the upright image. */
  swapsAxes: boolean
  /**
   * Whether the upper left corner of the upright image is at the right (or, with `fromBottom`, at the bottom) of the
   * file.
   */
  fromRight: boolean
  fromBottom: boolean
  apply: (image: Sharp) => Sharp
}

const transform = (
  swapsAxes: boolean,
  fromRight: boolean,
  fromBottom: boolean,
  apply: OrientationTransform['apply'],
): OrientationTransform => ({
  swapsAxes,
  fromRight,
  fromBottom,
  apply,
})

/** The transforms by EXIF orientation. Orientation 1 is the first one. */
const transforms = [
  transform(false, false, false, (image) => image),
  transform(false, true, false, (image) => image.flop()),
  transform(false, true, true, (image) => image.rotate(180)),
  transform(false, false, true, (image) => image.flip()),
  transform(true, false, false, (image) => image.flop().rotate(270)),
  transform(true, false, true, (image) => image.rotate(90)),
  transform(true, true, true, (image) => image.flop().rotate(90)),
  transform(true, true, false, (image) => image.rotate(270)),
]

/** The size after an orientation is applied. Given the upright size, returns the size in the file. */
export function orientedSize({ width, height }: PixelSize, orientation: number): PixelSize {
  return of(orientation).swapsAxes ? { width: height, height: width } : { width, height }
}

/** The area in the file that an area of the upright image covers. `file` is the size of the image in the file. */
export function areaInFile(file: PixelSize, { left, top, width, height }: Area, orientation: number): Area {
  const { swapsAxes, fromRight, fromBottom } = of(orientation)
  const area = swapsAxes ? { left: top, top: left, width: height, height: width } : { left, top, width, height }
  return {
    ...area,
    left: fromRight ? file.width - area.left - area.width : area.left,
    top: fromBottom ? file.height - area.top - area.height : area.top,
  }
}

/** Applies an orientation to a pipeline of sharp. Call it last: sharp then rotates after scaling. */
export const orientImage = (image: Sharp, orientation: number) => of(orientation).apply(image)

const of = (orientation: number) => transforms[orientation - 1]!
