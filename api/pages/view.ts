// A page as one guest sees it: in their language, zone and style.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import { chooseLanguage, directionOf, type Language, languages } from '../../src/bookingPages/languages/languages.ts'
import type { Texts } from '../../src/bookingPages/languages/texts.ts'
import type { ShownPage } from '../../src/bookingPages/pageForGuest.ts'
import { type Clock, openTimes, type Times } from '../../src/bookingPages/times.ts'
import { rootOf } from '../http/root.ts'
import { currentName } from './zones.ts'

/** The guest's choices in an address or a form. */
export type ViewOptions = { zone?: string | undefined; lang?: Language | undefined; clock?: Clock | undefined }

/** A part of a page, as parameters of its address. */
type PagePart = { day?: string; month?: string; slot?: string; do?: string; clock?: Clock }

/** The data that every page for guests needs, also one without a booking page. */
export type Reader = {
  texts: Texts
  language: Language
  direction: 'ltr' | 'rtl'
  locale: string
  lang?: Language | undefined
}

export type View = Reader & {
  page: ShownPage
  times: Times
  now: Date
  /** The path of the page itself. */
  path: string
  /** The path of another part of the page, in the same zone and language. */
  linkTo(part: PagePart): string
  /** Parameters that every link and the form of the zone have. */
  kept: Record<string, string>
}

/** `lang`: the language that the guest chose, which links keep. */
export function readerOf(headers: IncomingHttpHeaders, lang: Language | undefined): Reader {
  const { language, locale } = chooseLanguage(lang, headers['accept-language'])
  return { texts: languages[language], language, direction: directionOf(language), locale, lang }
}

/** `zone`: the guest's own, if it is known. `path`: of the page, unless another one shows its times. */
export function viewOf(
  app: App,
  headers: IncomingHttpHeaders,
  page: ShownPage,
  { zone, lang, clock, kept: given = {} }: ViewOptions & { kept?: Record<string, string> },
  path = `${rootOf(app)}/book/${page.slug}`,
): View {
  const reader = readerOf(headers, lang)
  const kept = { ...given, ...(lang !== undefined && { lang }), ...(clock !== undefined && { clock }) }
  return {
    ...reader,
    page,
    times: openTimes({ zone: currentName(zone ?? page.timezone), locale: reader.locale, clock }),
    now: app.clock.now(),
    path,
    kept,
    linkTo(part) {
      const query = new URLSearchParams({
        ...kept,
        ...part,
        ...(zone !== undefined && { zone }),
      }).toString()
      return query === '' ? path : `${path}?${query}`
    },
  }
}
