// Links that are mailed to an organization's address: whoever follows one reads its mail.
import type { App } from '../app.ts'
import type { Effects } from '../changes/commitParts.ts'
import { sendLater } from '../mails/mails.ts'
import type { MailText } from '../mails/texts.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { insertLink } from './queries.ts'

/** A link for the organization that the guard returned as `id`, and the mail that brings it. */
export function mailedLink(app: App, goodForMs: number, mailOf: (token: string) => MailText): Effects {
  const token = randomToken(24)
  const now = app.clock.now()
  return {
    link: insertLink(app.sql, sha256(token), now, new Date(now.getTime() + goodForMs)),
    mails: sendLater(app, mailOf(token)),
  }
}
