// The page on which a person approves or rejects a request of an agent. It works without a script, and opening it changes nothing.
import type { App } from '../../src/app.ts'
import type { ApprovalRecord } from '../../src/approvals/schema.ts'
import type { ApprovalView } from '../../src/approvals/view.ts'
import type { ServiceError } from '../../src/errors.ts'
import { momentWords } from '../../src/localtime/words.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { waysToSignIn } from './connectSignIn.ts'
import { type Html, html } from './html.ts'

type Page = ApprovalView & {
  agentName: string
  /** The last part of the address. */
  token: string
  formToken: string | undefined
  /** The role of the visitor lets them decide. */
  mayDecide: boolean
  problem?: string
}

const questions: Record<string, string> = {
  'event.create': 'Create this event?',
  'event.update': 'Change this event?',
  'event.delete': 'Delete this event?',
  'hold.create': 'Hold this time?',
  'hold.confirm': 'Confirm this hold?',
  'calendar.update': 'Change this calendar?',
  'calendar.delete': 'Delete this calendar?',
  restoreEvent: 'Restore this event?',
}

export const approvalPage = (app: App, status: number, page: Page): RawAnswer =>
  connectPage(
    app,
    status,
    questions[page.approval.action] ?? 'Approve this?',
    html`${noticeOf(page.problem)}
<p>The agent <strong><bdi>${page.agentName}</bdi></strong> asks you. Nothing has changed yet.</p>
<p class="asked"><bdi>${page.summary}</bdi></p>
${subjectNotes[page.subject] && html`<p class="notice">${subjectNotes[page.subject]}</p>`}
${changesTable(page)}
${page.mayDecide ? decisionForm(app, page) : html`<p class="notice">Your role lets you read this. A developer, admin or owner can decide.</p>`}
<p class="muted">Open until ${momentWords(Date.parse(page.approval.expires_at), page.zone)}.</p>`,
  )

const decisionForm = (
  app: App,
  { token, hash, formToken }: Page,
): Html => html`<form method="post" action="${rootOf(app)}/approve/${token}">
<input type="hidden" name="hash" value="${hash}">
${formToken !== undefined && html`<input type="hidden" name="form_token" value="${formToken}">`}
<div class="field"><label for="reason">Reason (optional; the agent reads it)</label><textarea id="reason" name="reason" rows="1" maxlength="1000"></textarea></div>
<div class="actions"><button name="decision" value="approve">Approve</button>
<button class="quiet" name="decision" value="reject">Reject</button></div>
</form>`

const subjectNotes: Record<ApprovalView['subject'], string | undefined> = {
  same: undefined,
  changed: 'Something has changed since the agent asked. You see it as it is now.',
  gone: 'It no longer exists, so approving it will fail.',
}

const labels: Record<string, string> = {
  start_time: 'Start',
  end_time: 'End',
  recurrence_rule: 'Repeats',
  all_day: 'All day',
  hold_expires_at: 'Held until',
}

/** One column for something new or removed; before and after for a change. */
function changesTable({ changes, zone }: ApprovalView): Html | false {
  if (changes.length === 0) return false
  const isChange = changes.some(({ before }) => before !== null) && changes.some(({ after }) => after !== null)
  const cells = ({ before, after }: ApprovalView['changes'][number]) =>
    (isChange ? [before, after] : [after ?? before]).map((value) => html`<td><bdi>${textOf(value, zone)}</bdi></td>`)
  const rows = changes.map((change) => html`<tr><th scope="row">${labelOf(change.field)}</th>${cells(change)}</tr>`)
  const head = isChange && html`<thead><tr><td></td><th scope="col">Now</th><th scope="col">After</th></tr></thead>`
  return html`<table class="changes">${head}<tbody>${rows}</tbody></table>`
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return labels[field] ?? words.slice(0, 1).toUpperCase() + words.slice(1)
}

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

function textOf(value: unknown, zone: string): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return isMoment(value) ? momentWords(Date.parse(value), zone) : value
  return JSON.stringify(value)
}

const outcomes: Record<ApprovalRecord['status'], { heading: string; text?: string }> = {
  approved: { heading: 'Approved', text: 'It has been done.' },
  rejected: { heading: 'Rejected', text: 'Nothing has changed.' },
  failed: { heading: 'It could not be done' },
  expired: { heading: 'Too late', text: 'This request has expired. Nothing has changed, and the agent can ask again.' },
  pending: { heading: 'Not decided yet' },
}

/** `isEarlier`: it was decided before this visit. */
export function decidedPage(app: App, status: number, approval: ApprovalRecord, isEarlier: boolean): RawAnswer {
  const { heading, text } = outcomes[approval.status]
  return connectPage(
    app,
    status,
    heading,
    html`<p class="asked"><bdi>${approval.summary}</bdi></p>
${isEarlier && approval.status !== 'expired' && html`<p>This was decided already.</p>`}
<p>${text ?? refusalOf(approval)}</p>
${approval.reason !== null && html`<p class="muted">Reason: <bdi>${approval.reason}</bdi></p>`}`,
  )
}

function refusalOf({ result }: ApprovalRecord): string {
  const { error } = (result?.body ?? {}) as { error?: { message?: string } }
  return error?.message ?? 'The request was refused.'
}

/** `path`: of the page. */
export const signInToDecidePage = (app: App, status: number, path: string, problem?: string): RawAnswer =>
  connectPage(
    app,
    status,
    'Sign in to decide',
    html`<p>An agent asks for an approval. Only people of its organization can decide.</p>
${noticeOf(problem)}
${waysToSignIn(app, path)}`,
  )

export function approvalRefusal(app: App, error: ServiceError): RawAnswer {
  const { heading, text } = refusals[error.status] ?? { heading: 'That did not work', text: error.message }
  return connectPage(app, error.status, heading, html`<p>${text}</p>`)
}

const refusals: Record<number, { heading: string; text: string }> = {
  404: { heading: 'This link does not work', text: 'Check that you have opened the whole address.' },
  429: { heading: 'Too many requests', text: 'Please wait a minute, then go back and try again.' },
  500: { heading: 'Something went wrong', text: 'That is our fault. Please try again in a moment.' },
  503: { heading: 'Something went wrong', text: 'That is our fault. Please try again in a moment.' },
}
