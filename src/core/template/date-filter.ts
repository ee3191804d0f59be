import type { FilterImplOptions } from 'liquidjs'
import { Recent } from '#core/recent'
import { extraLocale, formatIn } from './date-locales.ts'

export type FilterHandler = Extract<FilterImplOptions, (...given: never[]) => unknown>

/** The directives that have names, each with the flag for capitals, and `%%`, which is none. */
const named = /%(?:%|(\^?)([ABabh]))/g

const hasDayOfMonth = /%[-_0^#]*\d*[de]/

const isoMinute = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/**
 * The `date` filter with the names of days and months in the locale of the context. Beside a day of the month a month has
 * the form that dates have in the language: Russian `%d %B` is "22 ноября", `%B` alone "ноябрь".
 */
export const localizedDate = (date: FilterHandler): FilterHandler =>
  function (value: unknown, format?: unknown, ...zone: unknown[]) {
    const { locale } = this.context.opts
    if (typeof format !== 'string' || locale === 'en') return date.call(this, value, format, ...zone)
    const local: unknown = date.call(this, value, '%Y-%m-%dT%H:%M', ...zone)
    if (typeof local !== 'string' || !isoMinute.test(local)) return date.call(this, value, format, ...zone)
    const names = namesOf(locale)
    const inDate = hasDayOfMonth.test(format)
    const day = new Date(`${local}Z`)
    const spelled = format.replace(named, (directive, flag?: string, conversion?: string) => {
      if (!conversion) return directive
      const name = names[conversion as keyof Names](day, inDate)
      return (flag ? name.toLocaleUpperCase(locale) : name).replaceAll('%', '%%')
    })
    return date.call(this, value, spelled, ...zone)
  }

type Name = (day: Date, inDate: boolean) => string
type Names = Record<'A' | 'B' | 'a' | 'b' | 'h', Name>

/** The names of the locales used last: to make a format takes the runtime up to a millisecond. */
const recent = new Recent<Names>(50)

function namesOf(locale: string): Names {
  const known = recent.get(locale)
  if (known) return known
  const extra = extraLocale(new Intl.Locale(locale).language)
  const names = extra ? extraNames(extra) : runtimeNames(locale)
  recent.set(locale, names)
  return names
}

function extraNames(locale: ILocale): Names {
  const month =
    (token: string): Name =>
    (day, inDate) =>
      inDate ? formatIn(locale, day, `D ${token}`).replace(/^\d+ /, '') : formatIn(locale, day, token)
  const [short, long] = [month('MMM'), month('MMMM')]
  return {
    A: (day) => formatIn(locale, day, 'dddd'),
    a: (day) => formatIn(locale, day, 'ddd'),
    B: long,
    b: short,
    h: short,
  }
}

function runtimeNames(locale: string): Names {
  const [short, long] = [monthIn(locale, 'short'), monthIn(locale, 'long')]
  return { A: weekdayIn(locale, 'long'), a: weekdayIn(locale, 'short'), B: long, b: short, h: short }
}

function weekdayIn(locale: string, weekday: 'long' | 'short'): Name {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
  return (day) => format.format(day)
}

function monthIn(locale: string, month: 'long' | 'short'): Name {
  const alone = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
  const beside = new Intl.DateTimeFormat(locale, { month, day: 'numeric', timeZone: 'UTC' })
  return (day, inDate) => {
    const part = inDate ? beside.formatToParts(day).find(({ type }) => type === 'month')?.value : undefined
    // Some languages number their months beside a day, and say "month" in the text around it.
    return part && !/^\d+$/.test(part) ? part : alone.format(day)
  }
}
