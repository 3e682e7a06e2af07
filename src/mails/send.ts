// Sending mails: claim, send, remove. If a worker dies in between, its claim expires and the mail is sent again with the same
// Message-ID; the recipient gets it twice if the worker died after the server had accepted it.
import type { App } from '../app.ts'
import { isRefusedForGood, reasonOf } from '../outbound/mail.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isPassing, isTimeout } from '../stores/failures.ts'
import { jobs, type Payload, wakeup } from '../wakeups/jobs.ts'
import type { BookingMail } from './bookingMails.ts'
import { contentContext, type MailContent } from './mails.ts'
import { type ClaimedMail, claimMail, giveBackMail, postponeMail, removeMail } from './writes.ts'

/** How often it is asked whether the organization of a held mail goes on. */
const heldForMs = 15 * 60_000

const minute = 60
const hour = 60 * minute
/** Seconds from each failed attempt to the next; about a day in total. */
const retrySeconds = [10, 30, minute, 2 * minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour]

/**
 * `later`: its recipient has had enough for today. `held`: its organization is stopped. `needless`: it has no recipient or no
 * news any more.
 */
export type Composed =
  | { kind: 'content'; content: MailContent }
  | { kind: 'later'; at: Date }
  | { kind: 'held' }
  | { kind: 'needless' }

/** Writes the mail of a row without content. `isRepeated`: it has waited before. */
type Compose = (app: App, orgId: Uuid, about: BookingMail, { isRepeated }: { isRepeated: boolean }) => Promise<Composed>

export async function sendMail(app: App, { orgId, id }: Payload<'mail'>, compose: Compose): Promise<void> {
  const [mail] = await claimMail(app.sql, orgId, id, jobs.mail.leaseMs)
  if (!mail) return
  if (mail.expiresAt && mail.expiresAt <= app.clock.now()) return giveUp(app, mail, 'expired')
  try {
    const written = await writtenMail(app, mail, compose).catch(unlessPassing)
    if (!written) return giveBack(app, mail)
    if (written.kind === 'needless') return giveUp(app, mail, 'needless')
    if (written.kind === 'later') return postpone(app, mail, written.at)
    if (written.kind === 'held') return postpone(app, mail, new Date(app.clock.now().getTime() + heldForMs), 'isHeld')
    await app.mail.send({ id: mail.id, kind: mail.kind, date: mail.createdAt, ...written.content })
  } catch (error) {
    return retryLater(app, mail, error)
  }
  await removeMail(app.sql, mail)
  app.metrics.mails.inc({ outcome: 'sent' })
}

async function writtenMail(app: App, mail: ClaimedMail, compose: Compose): Promise<Composed> {
  const { id, contentSealed, about } = mail
  if (!contentSealed) return compose(app, mail.orgId, about!, { isRepeated: mail.attempts > 1 })
  const content = JSON.parse(app.sealer.unseal(contentContext(id), contentSealed)) as MailContent
  return { kind: 'content', content }
}

/** Postgres could not be read: that is no attempt of the mail. */
function unlessPassing(error: unknown): undefined {
  if (!isPassing(error) && !isTimeout(error)) throw error
}

async function giveBack(app: App, mail: ClaimedMail) {
  const dueAt = new Date(app.clock.now().getTime() + retrySeconds[0]! * 1000)
  await giveBackMail(app.sql, mail, dueAt)
  ringAt(app, mail, dueAt)
}

async function retryLater(app: App, mail: ClaimedMail, error: unknown) {
  const waitSeconds = retrySeconds[mail.attempts - 1]
  app.log.warn({ mail: mail.id, attempts: mail.attempts, reason: reasonOf(error) }, 'a mail could not be sent')
  if (waitSeconds === undefined || isRefusedForGood(error)) return giveUp(app, mail, 'failed')
  await postpone(app, mail, new Date(app.clock.now().getTime() + waitSeconds * 1000), 'isCounted')
}

async function postpone(app: App, mail: ClaimedMail, dueAt: Date, mark?: 'isCounted' | 'isHeld') {
  await postponeMail(app.sql, mail, dueAt, mark)
  ringAt(app, mail, dueAt)
}

function ringAt(app: App, mail: ClaimedMail, dueAt: Date) {
  app.metrics.mails.inc({ outcome: 'postponed' })
  const waitMs = dueAt.getTime() - app.clock.now().getTime()
  if (waitMs <= app.config.enqueueHorizonMs) app.bell.ring([wakeup('mail', { orgId: mail.orgId, id: mail.id }, dueAt)])
}

async function giveUp(app: App, mail: ClaimedMail, outcome: 'expired' | 'failed' | 'needless') {
  await removeMail(app.sql, mail)
  app.metrics.mails.inc({ outcome })
}
