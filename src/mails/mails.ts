// Mails are rows, written in the statement of the change that causes them. A row is removed when its mail has been sent.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { jobs } from '../wakeups/jobs.ts'
import type { MailText } from './texts.ts'
import { insertMails, sendWaiting } from './writes.ts'

export type MailContent = Pick<MailText, 'to' | 'subject' | 'text' | 'calendar'>

export const contentContext = (id: Uuid) => `mails.content_sealed:${id}` as const

/**
 * Sends a mail after the commit. It belongs to the organization whose `id` the guard returned, or else to `orgId`.
 */
export const sendLater = (app: App, mail: MailText, orgId?: Uuid): Effect =>
  insertMails(app.sql, [mailRow(app, mail)], orgId)

/** The same for several mails of one change; undefined without any. */
export const sendAllLater = (app: App, mails: readonly MailText[], orgId?: Uuid): Effect | undefined =>
  mails.length === 0
    ? undefined
    : insertMails(
        app.sql,
        mails.map((mail) => mailRow(app, mail)),
        orgId,
      )

function mailRow(app: App, { kind, validForMs, ...content }: MailText) {
  const now = app.clock.now()
  const id = newId()
  return {
    id,
    kind,
    contentSealed: app.sealer.seal(contentContext(id), JSON.stringify(content satisfies MailContent)),
    nextAttemptAt: now,
    expiresAt: validForMs === undefined ? null : new Date(now.getTime() + validForMs),
    createdAt: now,
  }
}

/** The mails to guests that waited while the organization was stopped are due, if the guard matches. */
export const sendWaitingMails = ({ sql, clock }: App, orgId: Uuid): Effect =>
  sendWaiting(sql, orgId, clock.now(), jobs.mail.leaseMs)
