// Markdown as a page shows it: headings that can be linked to, links that lead to pages, code with colours.
import GithubSlugger from 'github-slugger'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt, { type Token } from 'markdown-it'

const languages = { bash, javascript, json, python, sql, typescript, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

type Heading = { rank: number; text: string; id: string }
/** An entry of the search: the text below one heading. `id` is empty above the first one below the title. */
type Section = { id: string; title: string; text: string }
export type Rendered = { html: string; title: string; headings: Heading[]; sections: Section[] }

const markdown = new MarkdownIt({
  html: false,
  linkify: false,
  highlight: (code, language) =>
    hljs.getLanguage(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : '',
})

// Wide tables and code scroll in a box of their own, which a keyboard can reach.
const { rules } = markdown.renderer
rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
rules.table_close = () => '</table></div>\n'
const fence = rules.fence!
rules.fence = (...given) => `<div class="code">${fence(...given).replace('<pre>', '<pre tabindex="0">')}</div>\n`
// Names break between their words, so that none is torn where a column is narrow.
rules.code_inline = (tokens, at) =>
  `<code>${markdown.utils
    .escapeHtml(tokens[at]!.content)
    .replace(/&\w+;|(?<=\w)[_/.:=](?=\w)|[a-z](?=[A-Z])/g, (end) =>
      end.startsWith('&') ? end : `${end}<wbr>`,
    )}</code>`
// Each heading below the title ends with a link to itself.
rules.heading_close = (tokens, at) => {
  const [open, inline, { tag }] = tokens.slice(at - 2) as [Token, Token, Token]
  if (tag === 'h1') return '</h1>\n'
  const name = markdown.utils.escapeHtml(textOf(inline))
  return `<a class="anchor" href="#${open.attrGet('id')}" aria-label="Link to “${name}”">#</a></${tag}>\n`
}

/** The texts of the tokens inside a paragraph, a heading or a cell. */
const textOf = (token: Token): string =>
  (token.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'text' || type === 'code_inline' ? content : ''))
    .join('')

/** `linkTo` gives the address of a link, or undefined if the site does not have its target. */
export function renderMarkdown(text: string, linkTo: (href: string) => string | undefined): Rendered {
  const slugger = new GithubSlugger()
  // Comments are not shown.
  const tokens = markdown.parse(text.replace(/^<!--.*?-->$/gms, ''), {})
  const headings: Heading[] = []
  const sections: Section[] = [{ id: '', title: '', text: '' }]
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'inline' && token.children) token.children = relinked(token.children, linkTo)
    // A header cell without a text says nothing of its column.
    if (token.type === 'th_open' && tokens[at + 1]!.content === '') token.tag = tokens[at + 2]!.tag = 'td'
    if (token.type === 'heading_open') {
      const inline = tokens[at + 1]!
      const heading = { rank: Number(token.tag.slice(1)), text: textOf(inline), id: slugger.slug(textOf(inline)) }
      headings.push(heading)
      token.attrSet('id', heading.id)
      if (heading.rank > 1) {
        sections.push({ id: heading.id, title: heading.text, text: '' })
      }
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1)!.text += `${textOf(token)} `
    } else if (token.type === 'fence') {
      sections.at(-1)!.text += `${token.content} `
    }
  }
  const title = headings.find(({ rank }) => rank === 1)?.text ?? ''
  sections[0]!.title = title
  return { html: markdown.renderer.render(tokens, markdown.options, {}), title, headings, sections }
}

/** Rewrites the addresses of links and images. A link without a target becomes its text. */
function relinked(tokens: readonly Token[], linkTo: (href: string) => string | undefined): Token[] {
  let isUnlinked = false
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const href = linkTo(String(token.attrGet('href')))
      isUnlinked = href === undefined
      if (href !== undefined) token.attrSet('href', href)
    }
    if (token.type === 'image') token.attrSet('src', linkTo(String(token.attrGet('src'))) ?? '')
    return !(isUnlinked && (token.type === 'link_open' || token.type === 'link_close'))
  })
}
