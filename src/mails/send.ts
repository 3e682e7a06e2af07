// Sending mails: claim, send, remove. If a worker dies in between, its claim expires and the mail is sent again with the same
// Message-ID; the recipient gets it twice if the worker died after the server had accepted it.
import type { App } from '../app.ts'
import { isRefusedForGood, reasonOf } from '../outbound/mail.ts'
import { type Payload, wakeMail } from '../wakeups/jobs.ts'
import { contentPlace, type MailContent } from './mails.ts'
import { type ClaimedMail, claimMail, postponeMail, removeMail } from './writes.ts'

const leaseMs = 60_000

const minute = 60
const hour = 60 * minute
/** Seconds from each failed attempt to the next; about a day in total. */
const retrySeconds = [10, 30, minute, 2 * minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour]

export async function sendMail(app: App, { orgId, mailId }: Payload<'mail'>): Promise<void> {
  const [mail] = await claimMail(app.sql, orgId, mailId, leaseMs)
  if (!mail) return
  if (mail.expiresAt && mail.expiresAt <= app.clock.now()) return giveUp(app, mail, 'expired')
  try {
    const content = JSON.parse(app.sealer.unseal(contentPlace(mail.id), mail.contentSealed)) as MailContent
    await app.mail.send({ id: mail.id, kind: mail.kind, date: mail.createdAt, ...content })
  } catch (error) {
    return retryLater(app, mail, error)
  }
  await removeMail(app.sql, mail)
  app.metrics.mails.inc({ outcome: 'sent' })
}

async function retryLater(app: App, mail: ClaimedMail, error: unknown) {
  const waitSeconds = retrySeconds[mail.attempts - 1]
  app.log.warn({ mail: mail.id, attempts: mail.attempts, reason: reasonOf(error) }, 'a mail could not be sent')
  if (waitSeconds === undefined || isRefusedForGood(error)) return giveUp(app, mail, 'failed')
  const dueAt = new Date(app.clock.now().getTime() + waitSeconds * 1000)
  await postponeMail(app.sql, mail, dueAt)
  app.metrics.mails.inc({ outcome: 'postponed' })
  if (waitSeconds * 1000 <= app.config.enqueueHorizonMs) app.bell.ring([wakeMail({ ...mail, dueAt })])
}

async function giveUp(app: App, mail: ClaimedMail, outcome: 'expired' | 'failed') {
  await removeMail(app.sql, mail)
  app.metrics.mails.inc({ outcome })
}
