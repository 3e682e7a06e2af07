// The frame of every page: it loads nothing from other sites, has nothing inline, and stays out of caches.
import { RawAnswer } from '../http/route.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'

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

/** `root`: the path prefix of the service. */
export const pageAnswer = (status: number, root: string, content: PageContent, headers: Record<string, string> = {}) =>
  new RawAnswer(
    status,
    { ...guardedHeaders, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept, Accept-Language', ...headers },
    documentOf(root, content).text,
  )

/** Of pages without a script, whose address no other page may learn. */
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

const documentOf = (root: string, { title, main }: PageContent, { script = true } = {}): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${assetPath('booking.svg')}">
<link rel="stylesheet" href="${root}${assetPath('booking.css')}">
${
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
