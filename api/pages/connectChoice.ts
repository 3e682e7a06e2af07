// After consent: which calendars count. Only the primary one is checked; holidays, contacts and feeds stand last.
import type { App } from '../../src/app.ts'
import type { ExternalCalendarRow } from '../../src/connections/connectPage.ts'
import type { LinkRow } from '../../src/connections/linkQueries.ts'
import { nameContext } from '../../src/connections/sealed.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { type Html, html } from './html.ts'

type Choice = { link: LinkRow; calendars: readonly ExternalCalendarRow[]; formToken: string; problem?: string }

export function choicePage(app: App, status: number, { link, calendars, formToken, problem }: Choice): RawAnswer {
  const named = calendars
    .map((row) => ({ row, name: app.sealer.unseal(nameContext(row.id), row.nameSealed) }))
    .sort((a, b) => rank(a.row) - rank(b.row) || a.name.localeCompare(b.name))
  const readable = named.filter(({ row }) => row.isReadable)
  const writable = named.filter(({ row }) => row.isWritable)
  const reads = link.capabilities.includes('availability')
  const writes = link.publicationPolicy !== 'none'
  return connectPage(
    app,
    status,
    'Choose your calendars',
    html`${noticeOf(problem)}
<form method="post" action="${rootOf(app)}/connect/links/${encodeId('csl', link.id)}">
<input type="hidden" name="form_token" value="${formToken}">
${reads && choices('Your busy time in these calendars counts', 'checkbox', 'external_calendar_ids', readable)}
${reads && readable.some(({ row }) => row.isFeed) && html`<p class="muted">Holidays, birthdays and imported feeds stand last. Feeds lag for hours.</p>`}
${writes && choices('Events are written into this calendar', 'radio', 'destination_external_calendar_id', writable)}
<button>Save</button>
</form>`,
  )
}

const rank = ({ isPrimary, isFeed }: ExternalCalendarRow): number => (isFeed ? 2 : isPrimary ? 0 : 1)

type Named = { row: ExternalCalendarRow; name: string }

const choices = (
  legend: string,
  type: 'checkbox' | 'radio',
  field: string,
  calendars: readonly Named[],
): Html => html`<fieldset class="choices">
<legend>${legend}</legend>
${calendars.map(
  ({ row, name }) =>
    html`<label class="choice"><input type="${type}" name="${field}" value="${encodeId('xcl', row.id)}"${
      type === 'checkbox' && row.isPrimary && html` checked`
    }${type === 'radio' && html` required`}><span dir="auto">${name}${row.isPrimary && html` <small class="muted">primary</small>`}${
      row.isFeed && html` <small class="muted">feed</small>`
    }</span></label>\n`,
)}</fieldset>`

export const completedPage = (app: App, status = 200): RawAnswer =>
  connectPage(
    app,
    status,
    'Your calendar is connected',
    html`<p>From now on your busy time is respected. You can close this page.</p>
<p><a class="button" href="${rootOf(app)}/connect">Your connections</a></p>`,
  )
