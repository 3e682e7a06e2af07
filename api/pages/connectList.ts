// All connections of an organization, the meaning of each state, and the next step of its human.
import type { App } from '../../src/app.ts'
import type { ConnectionRow, ExternalCalendarRow } from '../../src/connections/connectPage.ts'
import type { GrantRow } from '../../src/connections/grantQueries.ts'
import { labelOf, presentCalendars } from '../../src/connections/present.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { formOriginsOf, providerNames } from './connectFields.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { type Html, html } from './html.ts'

type ConnectedCalendars = { connection: ConnectionRow; calendars: readonly ExternalCalendarRow[] }
type View = {
  connections: readonly ConnectedCalendars[]
  grants: readonly GrantRow[]
  agentNames: ReadonlyMap<Uuid, string>
  formToken: string
  problem?: string
}

export const connectionsPage = (app: App, status: number, view: View): RawAnswer =>
  connectPage(
    app,
    status,
    'Your connected calendars',
    html`${noticeOf(view.problem)}
${
  view.connections.length === 0
    ? html`<p>Nothing is connected. An agent that needs your free time sends you a link.</p>`
    : view.connections.map((one) => section(app, view, one))
}
<form method="post" action="${rootOf(app)}/connect/signout"><button class="quiet">Sign out</button></form>`,
    formOriginsOf(app),
  )

const meanings: Record<ConnectionRow['status'], string> = {
  active: 'Connected. Agents respect when you are busy.',
  paused: 'Paused. Nothing is read, so agents offer none of your time.',
  reauthorization_required: 'The provider refuses us. Sign in again: until then agents offer none of your time.',
  disconnected:
    'Access was erased after 90 days without a sign-in. Agents offer none of your time until you connect it again or disconnect it.',
}

function section(app: App, view: View, { connection, calendars }: ConnectedCalendars): Html {
  const id = encodeId('con', connection.id)
  const name = labelOf(app, connection) ?? providerNames[connection.provider]
  const shown = presentCalendars(app, connection, calendars).filter((one) => one.selected)
  return html`<section class="way" aria-labelledby="${id}">
<h2 id="${id}" dir="auto">${name} <small class="muted">${providerNames[connection.provider]}</small></h2>
<p>${meanings[connection.status]}</p>
${
  shown.length === 0
    ? html`<p class="muted">No calendar is chosen.</p>`
    : html`<ul class="plain">${shown.map((one) => html`<li><span dir="auto">${one.name}</span> – ${audienceOf(view, one.id)}${connection.status !== 'disconnected' && narrowing(app, view, id, one)}</li>`)}</ul>`
}
${actions(app, view, connection)}
</section>`
}

function audienceOf({ grants, agentNames }: View, calendarId: string): string {
  const active = grants.filter(
    ({ active, calendarIds }) => active && calendarIds.some((id) => encodeId('xcl', id) === calendarId),
  )
  if (active.length === 0) return 'no agent sees when you are busy'
  if (active.some(({ audience }) => audience === 'all_org_agents')) return 'all agents see when you are busy'
  const names = active.flatMap(({ agentIds }) => agentIds.map((id) => agentNames.get(id) ?? 'an agent'))
  if (active.some(({ audience }) => audience === 'all_current_agents'))
    names.push('the agents that existed when you agreed')
  return `seen by ${[...new Set(names)].join(', ')}`
}

/** Stops reading one calendar. */
const narrowing = (app: App, { formToken }: View, id: string, calendar: { id: string; name: string }): Html =>
  html`<form method="post" action="${rootOf(app)}/connect/connections/${id}/unselect">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="external_calendar_id" value="${calendar.id}">
<button class="quiet">Stop using <span dir="auto">${calendar.name}</span></button></form>`

function actions(app: App, { formToken }: View, connection: ConnectionRow): Html {
  const id = encodeId('con', connection.id)
  const form = (
    action: string,
    content: Html,
  ) => html`<form method="post" action="${rootOf(app)}/connect/connections/${id}/${action}">
<input type="hidden" name="form_token" value="${formToken}">${content}</form>`
  const isBroken = connection.status === 'reauthorization_required'
  return html`${isBroken && connection.provider !== 'caldav' && form('reauthorize', html`<button>Sign in again</button>`)}${
    isBroken &&
    connection.provider === 'caldav' &&
    form(
      'reauthorize',
      html`<div class="field"><label for="password-${id}">Password at the provider</label><input id="password-${id}" name="password" type="password" autocomplete="off" required maxlength="1024"></div><button>Sign in again</button>`,
    )
  }
${connection.status === 'active' && form('pause', html`<button class="quiet">Pause</button>`)}
${connection.status === 'paused' && form('resume', html`<button>Resume</button>`)}
${form('disconnect', html`<button class="quiet">Disconnect</button>`)}
${connection.provider === 'microsoft' && microsoftConsent}`
}

/** Microsoft has no revocation by an application. */
const microsoftConsent = html`<p class="muted">Disconnecting deletes all that we keep. Only you can also end your consent at Microsoft: of a <a href="https://account.microsoft.com/privacy/app-access">personal account</a> or an <a href="https://myapps.microsoft.com/">account of work or school</a>.</p>`
