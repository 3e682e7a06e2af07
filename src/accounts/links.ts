// Links that are mailed to an organization's address: following one shows access to its mail.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { sendLater } from '../mails/mails.ts'
import type { MailText } from '../mails/texts.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { insertLink } from './writes.ts'

/** A link for the organization whose `id` the guard returned, and the mail that brings it. */
export function mailLink(app: App, validForMs: number, mailOf: (token: string) => MailText): Effect[] {
  const token = randomToken(24)
  const now = app.clock.now()
  return [insertLink(app.sql, sha256(token), now, new Date(now.getTime() + validForMs)), sendLater(app, mailOf(token))]
}
