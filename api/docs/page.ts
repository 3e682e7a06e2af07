// The frame of every page of the site: bar, menu, text, contents of the page.
import { Html, html, type Part } from '../pages/html.ts'
import { chapters, type Entry } from './contents.ts'
import type { Rendered } from './markdown.ts'

export type Article = { title: string; main: Html; aside?: Part }

const entries: readonly Entry[] = chapters.flatMap((chapter) => chapter.entries)

/** `path` is that of the page; `root` the path prefix of the service. */
export const layout = (root: string, path: string, { title, main, aside }: Article): string =>
  html`<!doctype html>
<html lang="en">
<head>
${head(root, title)}
${['site', 'text', 'home'].map((name) => html`<link rel="stylesheet" href="${root}/docs/assets/${name}.css">`)}
<script src="${root}/docs/assets/${path === '/docs' ? 'tryIt' : 'copy'}.js" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#main">Skip to the text</a>
${bar(root)}
<div class="columns">
<details class="menu" id="menu"><summary>Menu</summary><nav aria-label="Documentation">${chapters.map(
    ({ title, entries }) => html`<h2>${title}</h2><ul>${entries.map((one) => menuItem(root, path, one))}</ul>`,
  )}</nav></details>
<main id="main" tabindex="-1">${main}${readingControls(root, path)}</main>
<aside>${aside}</aside>
</div>
</body>
</html>
`.text

export const head = (root: string, title: string): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title ? `${title} · agent-calendar` : 'agent-calendar'}</title>
<link rel="icon" href="${root}/docs/assets/icon.svg" type="image/svg+xml">
<link rel="service-desc" href="${root}/openapi.json" type="application/json">
<link rel="stylesheet" href="${root}/docs/assets/frame.css">
<script src="${root}/docs/assets/theme.js"></script>
<script src="${root}/docs/assets/minisearch.js" defer></script>
<script src="${root}/docs/assets/search.js" defer></script>`

/** The line at the top. Its buttons work with the scripts, and are hidden without. */
const bar = (root: string): Html => html`<header class="bar">${barContent(root)}</header>${searchDialog}`

/** On a page whose script brings a header of its own: a page has one. */
export const barBesideHeader = (root: string): Html =>
  html`<div class="bar" role="region" aria-label="Site">${barContent(root)}</div>${searchDialog}`

const barContent = (root: string) => html`
<a class="name" href="${root}/docs"><img src="${root}/docs/assets/icon.svg" alt="" width="24" height="24">agent-calendar</a>
<nav aria-label="Main"><a href="${root}/docs/quickstart">Quickstart</a><a href="${root}/docs/reference">API reference</a><a href="${root}/openapi.json">OpenAPI</a></nav>
<button type="button" id="search-button" hidden>Search <kbd>/</kbd></button>
<button type="button" id="theme-button" aria-label="Light or dark" hidden>◐</button>
`

const searchDialog = html`
<dialog id="search" aria-label="Search"><form method="dialog"><input type="search" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off"><button aria-label="Close">✕</button></form><p role="status"></p><ol></ol></dialog>`

const menuItem = (root: string, path: string, { title, path: to }: Entry) =>
  html`<li><a href="${root}${to}"${to === path && new Html(' aria-current="page"')}>${title}</a></li>`

/** The pages before and after this one in the menu. */
function readingControls(root: string, path: string): Part {
  const at = entries.findIndex((one) => one.path === path)
  if (at < 0) return null
  const link = (one: Entry | undefined, rel: string, word: string) =>
    one && html`<a rel="${rel}" href="${root}${one.path}"><small>${word}</small>${one.title}</a>`
  return html`<nav class="besides" aria-label="Before and after">${link(entries[at - 1], 'prev', 'Before')}${link(entries[at + 1], 'next', 'Next')}</nav>`
}

export const articleOf = ({ html: text, title, headings }: Rendered): Article => {
  const shown = headings.filter(({ rank }) => rank === 2 || rank === 3)
  return {
    title,
    main: html`<article>${new Html(text)}</article>`,
    aside:
      shown.length > 1 &&
      html`<nav aria-label="On this page"><h2>On this page</h2><ul>${shown.map(
        ({ rank, id, text }) => html`<li class="rank${rank}"><a href="#${id}">${text}</a></li>`,
      )}</ul></nav>`,
  }
}
