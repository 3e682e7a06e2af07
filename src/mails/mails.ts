// Mails are rows, written in the statement of the change that causes them. A row is removed when its mail has been sent.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { jobs } from '../wakeups/jobs.ts'
import type { MailText } from './texts.ts'
import { insertMail, sendWaiting } from './writes.ts'

export type MailContent = Pick<MailText, 'to' | 'subject' | 'text' | 'calendar'>

export const contentContext = (id: Uuid) => `mails.content_sealed:${id}` as const

/**
 * Sends a mail after the commit. It belongs to the organization whose `id` the guard returned, or else to `orgId`.
 */
export function sendLater(app: App, { kind, validForMs, ...content }: MailText, orgId?: Uuid): Effect {
  const now = app.clock.now()
  const id = newId()
  const row = {
    id,
    kind,
    contentSealed: app.sealer.seal(contentContext(id), JSON.stringify(content satisfies MailContent)),
    nextAttemptAt: now,
    expiresAt: validForMs === undefined ? null : new Date(now.getTime() + validForMs),
    createdAt: now,
  }
  return insertMail(app.sql, row, orgId)
}

/** The mails to guests that waited while the organization was stopped are due, if the guard matches. */
export const sendWaitingMails = ({ sql, clock }: App, orgId: Uuid): Effect =>
  sendWaiting(sql, orgId, clock.now(), jobs.mail.leaseMs)
