import type { FilterImplOptions } from 'liquidjs'
import { LruCache } from '#core/lru-cache'
import { extraLocale, formatIn } from './date-locales.ts'

// Liquid's date filters, with the names of days and months in other languages than English. LiquidJS has English names
// only.

export type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>

/**
 * Finds the directives of day and month names, with flags and width. `%%` matches too, so that its second `%` does not
 * start a directive.
 */
const nameDirective = /%(?:%|([-_0^#:]*)\d*([ABabh]))/g

const hasDayOfMonth = /%[-_0^#]*\d*[de]/

const isoMinute = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/**
 * The `date` filter with the names of days and months in the locale of the context. If the format has a day of the month, the
 * month has the form for dates: Russian `%d %B` is "22 ноября", `%B` alone "ноябрь".
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
    const spelled = format.replace(nameDirective, (directive, flags?: string, conversion?: string) => {
      if (!conversion) return directive
      const name = names[conversion as keyof Names](day, inDate)
      return (flags?.includes('^') ? name.toLocaleUpperCase(locale) : name).replaceAll('%', '%%')
    })
    return date.call(this, value, spelled, ...zone)
  }

/** `date_to_string` and `date_to_long_string` in the locale of the context. English uses the library's filters, which add ordinals. */
export const localizedString = (original: FilterHandler, date: FilterHandler, format: string): FilterHandler =>
  function (value: unknown, ...style: unknown[]) {
    return this.context.opts.locale === 'en' ? original.call(this, value, ...style) : date.call(this, value, format)
  }

type Name = (day: Date, inDate: boolean) => string
type Names = Record<'A' | 'B' | 'a' | 'b' | 'h', Name>

/** Names of days and months by locale. LRU cache, since creating an `Intl.DateTimeFormat` takes up to a millisecond. */
const cache = new LruCache<Names>(50)

function namesOf(locale: string): Names {
  const known = cache.get(locale)
  if (known) return known
  const extra = extraLocale(new Intl.Locale(locale).language)
  const names = extra ? extraNames(extra) : runtimeNames(locale)
  cache.set(locale, names)
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

/** Options for the names: dates are Gregorian in all locales, so the default calendar of a locale must not be used. */
const gregorian = { calendar: 'gregory', timeZone: 'UTC' } as const

function weekdayIn(locale: string, weekday: 'long' | 'short'): Name {
  const format = new Intl.DateTimeFormat(locale, { ...gregorian, weekday })
  return (day) => format.format(day)
}

function monthIn(locale: string, month: 'long' | 'short'): Name {
  const alone = new Intl.DateTimeFormat(locale, { ...gregorian, month })
  const inFullDate = new Intl.DateTimeFormat(locale, { ...gregorian, month, day: 'numeric' })
  return (day, inDate) => {
    const part = inDate ? inFullDate.formatToParts(day).find(({ type }) => type === 'month')?.value : undefined
    // In some languages the month in a date is a number, with the word "month" next to it. Then the stand-alone name is
    // used.
    return part && !/^\d+$/.test(part) ? part : alone.format(day)
  }
}
