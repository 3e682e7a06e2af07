// The page behind the link of an invitation: what it is to, and the ways to accept. Opening it changes nothing, because mail scanners
// open it, too.
import type { Role } from '../../src/actors/roles.ts'
import type { App } from '../../src/app.ts'
import type { OpenInvitation } from '../../src/members/invitationQueries.ts'
import { shownName } from '../../src/shapes/names.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { identityProviders, passwordField } from './connectSignIn.ts'
import { type Html, html } from './html.ts'

/** `path`: `/invitations/<token>`. `problem`: why the last attempt changed nothing. */
type Opened = { invitation: OpenInvitation; path: string; problem?: string | undefined }

const meanings: Record<Role, string> = {
  owner: 'You may do everything, also end the organization.',
  admin: 'You may do everything except decide who owns it.',
  developer: 'You see and change its agents, calendars and events.',
  viewer: 'You see its agents, calendars and events, and change none of them.',
}

const headingOf = ({ orgName }: OpenInvitation): string => `Join ${shownName(orgName)}`

/** Somebody who is signed in with the invited address. */
export const acceptPage = (
  app: App,
  status: number,
  { invitation, path, problem, formToken }: Opened & { formToken: string },
): RawAnswer =>
  connectPage(
    app,
    status,
    headingOf(invitation),
    html`${noticeOf(problem)}${facts(invitation)}
<form method="post" action="${rootOf(app)}${path}/accept">
<input type="hidden" name="form_token" value="${formToken}">
<button>Accept the invitation</button>
</form>
${ignored}`,
  )

type Ways = { terms: { version: string; url: string }; token: string }

/** Somebody who is not signed in. It shows the same whether or not the address has an account. */
export const waysPage = (
  app: App,
  status: number,
  { invitation, path, problem, terms, token }: Opened & Ways,
): RawAnswer =>
  connectPage(
    app,
    status,
    headingOf(invitation),
    html`${noticeOf(problem)}${facts(invitation)}
<form class="way" method="post" action="${rootOf(app)}${path}/signin">
<h2>I have an account</h2>
${address('known', invitation.email)}
${passwordField}
<button>Sign in</button>
</form>
<form class="way" method="post" action="${rootOf(app)}${path}/signup">
<h2>I am new here</h2>
${address('new', invitation.email)}
<div class="field"><label for="new-password">New password (at least 12 characters)</label><input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="128"></div>
<input type="hidden" name="tos_version" value="${terms.version}">
<p class="muted">You accept the ${termsLink(terms.url)}.</p>
<button>Sign up and accept</button>
</form>
${providers(app, token, terms)}
<form class="way" method="post" action="${rootOf(app)}/connect/password">
<h2>Password forgotten?</h2>
<input type="hidden" name="email" value="${invitation.email}">
<p class="muted">Set another one, then open this page again.</p>
<button class="quiet">Mail me a link to set one</button>
</form>
${ignored}`,
  )

/** It tells password managers whose password it is; only this address can accept. */
const address = (id: string, email: string): Html =>
  html`<div class="field"><label for="${id}">E-mail address</label><input id="${id}" type="email" autocomplete="username" readonly value="${email}"></div>`

const termsLink = (url: string): Html =>
  html`<a href="${url}" rel="nofollow noopener noreferrer" target="_blank">terms of service</a>`

const providers = (app: App, token: string, { version, url }: Ways['terms']): Html | undefined =>
  identityProviders(
    app,
    'Accept',
    { invitation: token, tos_version: version },
    html`<p class="muted">It must know you by this address. If you are new here, you accept the ${termsLink(url)}.</p>`,
  )

function facts({ orgName, role, invitedByEmail, email, expiresAt }: OpenInvitation): Html {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
  const row = (name: string, value: string, more?: Html) =>
    html`<div><dt>${name}</dt><dd dir="auto">${value}${more}</dd></div>`
  return html`<dl class="facts">
${row('Organization', shownName(orgName))}
${row('Your role', role, html`<br><span class="muted">${meanings[role]}</span>`)}
${row('Invited by', invitedByEmail)}
${row('For', email)}
${row('Ends', `${format.format(expiresAt)} (UTC)`)}
</dl>`
}

const ignored = html`<p class="muted">If you do not want to join, close this page: nothing happens.</p>`

const otherAddress = 'This invitation is for another address'

/** Another person is signed in in this browser. */
export const otherAccountPage = (app: App, path: string, account: string): RawAnswer =>
  connectPage(
    app,
    403,
    otherAddress,
    html`<p>You are signed in as <strong>${account}</strong>. If the invitation is yours, sign out, and sign in with the address that it was mailed to.</p>
<form method="post" action="${rootOf(app)}${path}/signout"><button>Sign out</button></form>`,
  )

/** Back from a provider. */
export const unknownToProviderPage = (app: App): RawAnswer =>
  connectPage(
    app,
    403,
    otherAddress,
    html`<p>The provider does not know you by the address that it was mailed to, or another account here signs in with it. Nothing was changed. Open the link of the invitation again to choose another way.</p>`,
  )

/** `lacksFactor`: the organization requires a second factor that the person does not have. */
type Accepted = { name: string; role: string; status?: number; lacksFactor: boolean }

export const acceptedPage = (app: App, { name, role, status = 200, lacksFactor }: Accepted): RawAnswer =>
  connectPage(
    app,
    status,
    'You have joined',
    html`<p>You belong to <strong><bdi>${shownName(name)}</bdi></strong> now, with the role ${role}.</p>
${lacksFactor && html`<p class="notice">It requires a second factor. Until you have turned yours on, only your own account is open to you there.</p>`}
<div class="actions">${lacksFactor ? factorWay(app) : calendarsWay(app)}
<a class="button quiet" href="${rootOf(app)}/docs">The documentation</a></div>`,
  )

const calendarsWay = (app: App): Html =>
  html`<a class="button" href="${rootOf(app)}/connect">Your connected calendars</a>`

const factorWay = (app: App): Html =>
  html`<a class="button" href="${rootOf(app)}/console/organization">Turn on your second factor</a>`

export const deadInvitationPage = (app: App): RawAnswer =>
  connectPage(
    app,
    404,
    'This invitation does not work',
    html`<p>It may have been used, replaced or revoked, or it has ended. Ask the person who invited you for another one.</p>`,
  )
