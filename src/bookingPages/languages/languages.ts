// The languages of pages and mails for guests, and how one is chosen. Pure.
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Plural, Texts } from './texts.ts'

export const languages = { en, de, es, fr, ar } satisfies Record<string, Texts>
export type Language = keyof typeof languages
export const languageNames = Object.keys(languages) as [Language, ...Language[]]

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Of a reader who names no region: it decides the order of a date and the 12-hour or 24-hour clock. */
const usualLocales: Record<Language, string> = { en: 'en-GB', de: 'de', es: 'es', fr: 'fr', ar: 'ar' }

const tagPattern = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?$/

/** The tags of an `Accept-Language`, the most wanted first. */
function acceptedTags(acceptLanguage: string): { language: string; region: string | undefined }[] {
  const tags = acceptLanguage
    .toLowerCase()
    .split(',')
    .slice(0, 50)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { match: tagPattern.exec(tag), weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
  return tags
    .filter(({ match, weight }) => match && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ match }) => ({ language: match![1]!, region: match![2] }))
}

/** `asked`: the language that an address or a form names. */
export function chooseLanguage(
  asked: Language | undefined,
  acceptLanguage = '',
): { language: Language; locale: string } {
  const tags = acceptedTags(acceptLanguage)
  const language = asked ?? (tags.find((tag) => isLanguage(tag.language))?.language as Language | undefined) ?? 'en'
  const region = tags.find((tag) => tag.language === language && tag.region !== undefined)?.region
  const locale = region === undefined ? usualLocales[language] : `${language}-${region.toUpperCase()}`
  return { language, locale }
}

type Fill = Readonly<Record<string, string>>

/** A text with its values inserted; `parts` splits it there, for texts with markup. */
export const filled = (text: string, values: Fill): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))

/** The form of a text for a number, which is written as the locale does. */
export function counted(text: Plural, count: number, locale: string): string {
  const form = new Intl.PluralRules(locale).select(count)
  return filled(text[form] ?? text.other, { n: new Intl.NumberFormat(locale).format(count) })
}
