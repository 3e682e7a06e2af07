// Links that are mailed to the address of an account, or of an organization without members: following one shows access to its mail.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { sendLater } from '../mails/mails.ts'
import type { MailText } from '../mails/texts.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { insertLink } from './writes.ts'

/** `accountId`: null while the organization has no member. */
type LinkFor = { accountId: Uuid | null; validForMs: number }

/** A link for the organization whose `id` the guard returned, and the mail that brings it. */
export function mailLink(app: App, { accountId, validForMs }: LinkFor, mailOf: (token: string) => MailText): Effect[] {
  const token = randomToken(24)
  const now = app.clock.now()
  const link = { hash: sha256(token), accountId, now, expiresAt: new Date(now.getTime() + validForMs) }
  return [insertLink(app.sql, link), sendLater(app, mailOf(token))]
}
