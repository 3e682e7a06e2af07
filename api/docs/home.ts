// The first page: an overview, a request to try, and every operation.
import { html, type Part } from '../pages/html.ts'
import { type ApiDocument, type Listed, operationsOf } from './operations.ts'
import type { Article } from './page.ts'

const cards: readonly [title: string, path: string, what: string][] = [
  ['Quickstart', '/docs/quickstart', 'From an empty clone to a signed webhook in five minutes.'],
  ['Concepts', '/docs/concepts', 'Organizations, agents, calendars, events, holds, and how they relate.'],
  ['API reference', '/docs/reference', 'Every operation and webhook, with samples to copy and requests to send.'],
  ['Hold, then confirm', '/docs/guide/hold-then-confirm', 'Reserve a time for minutes while somebody decides.'],
  ['Free and best times', '/docs/guide/free-times', 'When several calendars are free, why not, and when instead.'],
  ['Webhooks', '/docs/webhooks', 'Signed events for each change and each moment.'],
  ['Tools for models', '/docs/mcp', 'The calendar as tools over the Model Context Protocol.'],
  ['Operating', '/docs/operating', 'Run it on your own machines.'],
]

/** Requests that change nothing and need no identifier. */
const questions = [
  ['/v1/agents', 'List agents'],
  ['/v1/calendars?include=all', 'List calendars'],
  ['/v1/changes', 'Take a cursor of the change feed'],
  ['/v1/time?tz=Europe/Berlin', 'The time in Berlin'],
  ['/v1/usage', 'Usage of the plan'],
] as const

export const homeOf = (root: string, api: ApiDocument): Article => ({
  title: '',
  main: html`<h1>The calendar for software agents</h1>
<p class="lead">An organization registers agents, gives them calendars, and places events and short-lived holds on them. Signed
webhooks report every change and every moment. Agents negotiate meetings, people book on public pages, and feeds flow in and out.</p>
<ul class="cards">${cards.map(([title, path, what]) => html`<li><a href="${root}${path}"><strong>${title}</strong><span>${what}</span></a></li>`)}</ul>
${tryIt(api)}
<h2 id="operations">All operations</h2>
<p>The machine-readable document is at <a href="${root}/openapi.json">/openapi.json</a> and
<a href="${root}/openapi.yaml">/openapi.yaml</a>; for models there are <a href="${root}/llms.txt">/llms.txt</a> and
<a href="${root}/llms-full.txt">/llms-full.txt</a>.</p>
${[...Map.groupBy(operationsOf(api), ({ tag }) => tag)].map(([tag, group]) => listOf(root, tag, group, api))}`,
})

const tryIt = ({ servers }: ApiDocument): Part => html`<section class="try" id="try" hidden>
<h2>Try it</h2>
<form><label>API key <input name="key" type="password" placeholder="svc_sk_…" autocomplete="off" spellcheck="false" required></label>
<label>Request <select name="path">${questions.map(([path, what]) => html`<option value="${path}">${what}: GET ${path}</option>`)}</select></label>
<button>Send</button></form>
<div class="code"><pre tabindex="0" aria-live="polite">curl ${servers[0]!.url}/v1/agents -H "Authorization: Bearer svc_sk_…"</pre></div>
<p>The key stays on this page. Every operation can be sent from the API reference.</p>
</section>`

const listOf = (
  root: string,
  tag: string,
  group: readonly Listed[],
  { tags }: ApiDocument,
): Part => html`<h3>${tag}</h3>
<p>${tags.find(({ name }) => name === tag)?.description}</p>
<ul class="operations">${group.map(
  ({ method, path, summary, anchor }) =>
    html`<li><a href="${root}/docs/reference${anchor}"><code class="method ${method.toLowerCase()}">${method}</code> <code>${path}</code> <span>${summary}</span></a></li>`,
)}</ul>`
