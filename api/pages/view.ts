// A page as one guest sees it: in their language, zone and style.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import type { GuestPage } from '../../src/booking/guest.ts'
import { chooseLanguage, directionOf, type Language, languages } from '../../src/booking/languages/languages.ts'
import type { Texts } from '../../src/booking/languages/texts.ts'
import { rootOf } from '../http/root.ts'
import { openTimes, type Times } from './times.ts'
import { currentName } from './zones.ts'

/** What an address or a form says of the guest. */
type Asked = { zone?: string | undefined; lang?: Language | undefined }

/** What every page for guests needs, also one that is about no booking page. */
export type Reader = {
  texts: Texts
  language: Language
  direction: 'ltr' | 'rtl'
  locale: string
  lang?: Language | undefined
}

export type View = Reader & {
  page: GuestPage
  times: Times
  now: Date
  /** The path of the page itself. */
  path: string
  /** The path of another part of the page, in the same zone and language. */
  linkTo(part: { day?: string; month?: string; slot?: string }): string
}

/** `lang`: the language that the guest asked for, which links keep. */
export function readerOf(headers: IncomingHttpHeaders, lang: Language | undefined): Reader {
  const { language, locale } = chooseLanguage(lang, headers['accept-language'])
  return { texts: languages[language], language, direction: directionOf(language), locale, lang }
}

/** `zone`: the guest's own, if it is known. `path`: of the page, unless another one shows its times. */
export function viewOf(
  app: App,
  headers: IncomingHttpHeaders,
  page: GuestPage,
  { zone, lang }: Asked,
  path = `${rootOf(app)}/book/${page.slug}`,
): View {
  const reader = readerOf(headers, lang)
  return {
    ...reader,
    page,
    times: openTimes({ zone: currentName(zone ?? page.timezone), locale: reader.locale }),
    now: app.clock.now(),
    path,
    linkTo(part) {
      const query = new URLSearchParams({
        ...part,
        ...(zone !== undefined && { zone }),
        ...(lang !== undefined && { lang }),
      }).toString()
      return query === '' ? path : `${path}?${query}`
    },
  }
}
