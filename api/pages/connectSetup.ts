// The page behind a link: the request and the human's answer. Opening it changes nothing, because mail scanners open it, too.
import type { App } from '../../src/app.ts'
import { consentText, publishedText } from '../../src/connections/consent.ts'
import type { LinkRow } from '../../src/connections/linkQueries.ts'
import { oauthProviders } from '../../src/connections/providers.ts'
import type { OauthProviderName } from '../../src/providers/oauthProvider.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { caldavFields, formOriginsOf, providerNames, type TypedAccount } from './connectFields.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { type Html, html } from './html.ts'

type SetupView = {
  link: LinkRow
  organization: string
  agent: string | null
  calendar: { name: string; timezone: string }
  /** `/connect/<token>` */
  path: string
  formToken: string
  typed?: TypedAccount
  problem?: { message: string; field: string | undefined }
}

export const setupPage = (app: App, status: number, view: SetupView): RawAnswer =>
  connectPage(
    app,
    status,
    'Connect your calendar',
    html`${facts(view)}
<section class="way"><h2>What this makes possible</h2>
<ul class="plain">${view.link.capabilities.map((name) => html`<li>${name === 'publishing' ? publishedText(view.link.publicationPolicy) : consentText[name]}</li>`)}</ul>
<p class="muted">You can pause, narrow or end it whenever you want.</p></section>
${view.link.connectionId && html`<p><a class="button" href="${rootOf(app)}/connect/links/${encodeId('csl', view.link.id)}">Go on with the account that you connected</a></p>`}
${oauthProviders(app).map(({ name }) => providerForm(app, view, name))}
<form class="way" method="post" action="${rootOf(app)}${view.path}/begin">
<h2>Connect with CalDAV</h2>
<p class="muted">For iCloud, Nextcloud, Fastmail, mailbox.org and others. Use a password for this service alone if your provider offers such.</p>
${noticeOf(view.problem?.message)}
<input type="hidden" name="provider" value="caldav">
<input type="hidden" name="form_token" value="${view.formToken}">
${caldavFields(view.typed ?? {}, view.problem?.field)}
<button>Connect</button>
</form>
<form method="post" action="${rootOf(app)}${view.path}/decline">
<input type="hidden" name="form_token" value="${view.formToken}">
<button>Decline</button>
</form>`,
    formOriginsOf(app),
  )

const providerForm = (app: App, { path, formToken }: SetupView, name: OauthProviderName): Html =>
  html`<form class="way" method="post" action="${rootOf(app)}${path}/begin">
<input type="hidden" name="provider" value="${name}">
<input type="hidden" name="form_token" value="${formToken}">
<button>Connect with ${providerNames[name]}</button>
</form>`

/** Moments in the zone of the calendar that the link is for. */
function facts({ link, organization, agent, calendar }: SetupView): Html {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: calendar.timezone,
  })
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`
  return html`<dl class="facts">
${row('Organization', organization)}
${agent !== null && row('Agent', agent)}
${row('Calendar', calendar.name)}
${row('Asked for', `${format.format(link.createdAt)} (${calendar.timezone})`)}
${row('Ends', `${format.format(link.expiresAt)} (${calendar.timezone})`)}
</dl>`
}

export const declinedPage = (app: App): RawAnswer =>
  connectPage(
    app,
    200,
    'You declined',
    html`<p>Nothing was connected, and no agent sees when you are busy. You can close this page.</p>`,
  )
