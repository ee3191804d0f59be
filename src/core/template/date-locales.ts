// Day.js data for languages whose names of days and months are missing in workerd, whose ICU data has Chromium's
// languages only.
import dayjs from 'dayjs'
import az from 'dayjs/locale/az'
import be from 'dayjs/locale/be'
import bs from 'dayjs/locale/bs'
import cy from 'dayjs/locale/cy'
import eu from 'dayjs/locale/eu'
import ga from 'dayjs/locale/ga'
import gl from 'dayjs/locale/gl'
import hy from 'dayjs/locale/hy-am'
import is from 'dayjs/locale/is'
import ka from 'dayjs/locale/ka'
import kk from 'dayjs/locale/kk'
import ky from 'dayjs/locale/ky'
import mk from 'dayjs/locale/mk'
import mn from 'dayjs/locale/mn'
import sq from 'dayjs/locale/sq'
import tg from 'dayjs/locale/tg'
import tk from 'dayjs/locale/tk'
import uz from 'dayjs/locale/uz-latn'

const locales: Record<string, ILocale> = { az, be, bs, cy, eu, ga, gl, hy, is, ka, kk, ky, mk, mn, sq, tg, tk, uz }

/** The Day.js locale of a language that the runtime does not support. */
export const extraLocale = (language: string): ILocale | undefined =>
  Object.hasOwn(locales, language) ? locales[language] : undefined

/** Formats a date with Day.js tokens (https://day.js.org/docs/en/display/format). */
export const formatIn = (locale: ILocale, day: Date, format: string) => dayjs(day).locale(locale).format(format)
