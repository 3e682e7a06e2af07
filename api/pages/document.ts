// The frame of every page: it loads nothing from other sites, has nothing inline, and stays out of caches.

import { originOf } from '../../src/bookingPages/origins.ts'
import type { ShownPage } from '../../src/bookingPages/pageForGuest.ts'
import { RawAnswer } from '../http/route.ts'
import { assetPath, themePath } from './assets.ts'
import { type Html, html } from './html.ts'
import type { Reader } from './view.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The address is the credential of the page, so other sites must not see it as a referrer. `no-referrer` would do too much:
 * with it a browser sends the origin `null` with our own form.
 */
export const guardedHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** The same headers, as the OpenAPI document names them. */
export const guarded = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cache-Control',
] as const satisfies (keyof typeof guardedHeaders)[]
export const pageHeaders = [...guarded, 'Vary'] as const

type PageContent = { title: string; main: Html }

/** Further contents of the head of a page. Pages without it are in English. */
type Head = { language: string; direction: 'ltr' | 'rtl'; preview?: Html | undefined; color?: string | undefined }

const english: Head = { language: 'en', direction: 'ltr' }

/** `root`: the path prefix of the service. */
export const pageAnswer = (
  status: number,
  root: string,
  content: PageContent,
  headers: Record<string, string> = {},
  head = english,
  script = true,
) =>
  new RawAnswer(
    status,
    { ...guardedHeaders, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept, Accept-Language', ...headers },
    documentOf(root, content, { head, script }).text,
  )

/** A page for a guest, in their language. With `page` it is part of that page, and the sites that it names may show it in a frame. */
export function guestAnswer(
  status: number,
  root: string,
  content: PageContent,
  { language, direction }: Pick<Reader, 'language' | 'direction'>,
  page?: ShownPage,
  color = page?.details.theme_color,
): RawAnswer {
  const head = { language, direction, preview: page && previewOf(page), color }
  return pageAnswer(status, root, content, { 'Content-Security-Policy': policyOf(page) }, head)
}

/** A page that does not exist yet, for a frame of our own pages: nothing of it acts. */
export const previewAnswer = (
  root: string,
  content: PageContent,
  { language, direction }: Pick<Reader, 'language' | 'direction'>,
  page: ShownPage,
) =>
  pageAnswer(
    200,
    root,
    content,
    { 'Content-Security-Policy': policyOf(page, ["'self'"]) },
    { language, direction, color: page.details.theme_color },
    false,
  )

/** Beyond our own, a page may show the logo of its owner, and be shown by sites that the owner names. */
function policyOf(page: ShownPage | undefined, frames = page?.details.allowed_origins ?? []): string {
  const { logo_url } = page?.details ?? {}
  const images = logo_url === undefined ? undefined : originOf(logo_url)
  return policy
    .replace("frame-ancestors 'none'", `frame-ancestors ${frames.length > 0 ? frames.join(' ') : "'none'"}`)
    .replace("img-src 'self'", ["img-src 'self'", images].filter(Boolean).join(' '))
}

const maxPreview = 200

/** The preview of a link in a chat. It has no address, because that is a secret. */
function previewOf({ title, description, details }: ShownPage): Html {
  const by = [details.host_name, details.host_organization].filter(Boolean).join(', ')
  const text = [by, description?.replace(/\s+/g, ' ')].filter(Boolean).join(' – ')
  const short = text.length > maxPreview ? `${text.slice(0, maxPreview - 1).trimEnd()}…` : text
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${
  short !== '' &&
  html`<meta property="og:description" content="${short}">
<meta name="description" content="${short}">
`
}${
  details.logo_url &&
  html`<meta property="og:image" content="${details.logo_url}">
`
}<meta name="twitter:card" content="summary">
`
}

/** For pages without a script whose address must stay secret. */
const plainHeaders = {
  'Content-Security-Policy': policy
    .replace("script-src 'self'", "script-src 'none'")
    .replace("connect-src 'self'; ", ''),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** `formOrigins`: where the answer to a form of the page may lead, besides our own pages; Chromium asks the policy there too. */
export const plainPage = (status: number, root: string, content: PageContent, formOrigins: readonly string[] = []) =>
  new RawAnswer(
    status,
    {
      ...plainHeaders,
      'Content-Security-Policy': plainHeaders['Content-Security-Policy'].replace(
        "form-action 'self'",
        ["form-action 'self'", ...formOrigins].join(' '),
      ),
      'Content-Type': 'text/html; charset=utf-8',
    },
    documentOf(root, content, { script: false }).text,
  )

const documentOf = (
  root: string,
  { title, main }: PageContent,
  { script = true, head = english }: { script?: boolean; head?: Head } = {},
): Html => html`<!doctype html>
<html lang="${head.language}" dir="${head.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${head.color ?? '#3352d9'}">
<meta name="robots" content="noindex">
<title>${title}</title>
${head.preview}<link rel="icon" type="image/svg+xml" href="${root}${assetPath('booking.svg')}">
<link rel="stylesheet" href="${root}${assetPath('booking.css')}">
${
  head.color &&
  html`<link rel="stylesheet" href="${root}${themePath(head.color)}">
`
}${
  script &&
  html`<script type="module" src="${root}${assetPath('booking.js')}"></script>
`
}</head>
<body>
${main}
<p class="status" role="status"></p>
</body>
</html>
`
