// The page of the API reference, and the OpenAPI document as it shows it: with samples, groups and one box for a key.
import { html } from '../pages/html.ts'
import { type ApiDocument, operationsOf } from './operations.ts'
import { barBesideHeader, head } from './page.ts'
import { samplesOf } from './samples.ts'

/** The script takes seconds to make the reference. Until then its place has a list of the contents. */
export const referencePage = (root: string, api: ApiDocument): string =>
  html`<!doctype html>
<html lang="en">
<head>
${head(root, 'API reference')}
<link rel="stylesheet" href="${root}/docs/assets/reference.css">
<link rel="preload" href="${root}/docs/reference.json" as="fetch" crossorigin>
<script src="${root}/docs/assets/scalar.js" defer></script>
<script src="${root}/docs/assets/reference.js" defer></script>
</head>
<body data-root="${root}" class="reference">
<a class="skip" href="#reference">Skip to the reference</a>
${barBesideHeader(root)}
<noscript><p>The full reference needs JavaScript. The document is at <a href="${root}/openapi.json">/openapi.json</a>.</p></noscript>
<div id="reference"></div>
<main id="waiting" class="waiting">
<h1>API reference</h1>
<p role="status">The full reference is being prepared.</p>
<ul>
${operationsOf(api).map(({ method, path, summary }) => html`<li>${summary} <code>${method} ${path}</code></li>\n`)}</ul>
</main>
</body>
</html>
`.text

/** Most readers need none of these. */
const forOperators = [
  ...['Agent self-signup', 'Accounts', 'Terms of service', 'Waitlist', 'Account data', 'Administration'],
]

/** The group of webhooks: requests that the service sends. */
const eventsTag = 'Webhook events'

/** Each operation names one box: a reader has one key. */
const boxes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: "The organization's key (svc_sk_…) or the key of one agent (svc_ak_…).",
  },
  consoleSession: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in. Most callers need none.' },
  administratorToken: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN of the installation.' },
}
const boxOf: Record<string, keyof typeof boxes> = {
  organizationKey: 'apiKey',
  session: 'consoleSession',
  administratorToken: 'administratorToken',
}

export function referenceDocument(api: ApiDocument): ApiDocument {
  const shown = structuredClone(api)
  shown.components.securitySchemes = boxes
  const samples = samplesOf(api)
  for (const { path, method, operationId } of operationsOf(api)) {
    const operation = shown.paths[path]![method.toLowerCase()]!
    const box = boxOf[Object.keys(operation.security?.[0] ?? {})[0] ?? '']
    operation.security = box ? [{ [box]: [] }] : []
    operation['x-codeSamples'] = samples.get(operationId)!
  }
  const names = api.tags.map(({ name }) => name)
  const groups = [
    { name: 'Calendar', tags: [...names.filter((name) => !forOperators.includes(name)), eventsTag] },
    { name: 'Console & operator', tags: names.filter((name) => forOperators.includes(name)) },
  ]
  for (const { post } of Object.values(shown.webhooks)) post.tags = [eventsTag]
  shown.tags.push({ name: eventsTag, description: 'The requests that the service sends to the addresses of webhooks.' })
  return { ...shown, 'x-tagGroups': groups } as ApiDocument
}
