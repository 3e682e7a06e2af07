// Mails wait as rows, written in the statement of the change that they tell of; the row goes when the mail went.
import type { App } from '../app.ts'
import { type Effect, ringing } from '../changes/effect.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { insertMail } from './queries.ts'
import type { MailText } from './texts.ts'

export type MailContent = Pick<MailText, 'to' | 'subject' | 'text'>

export const contentPlace = (id: Uuid) => `mails.content_sealed:${id}` as const

/** To the owner of the organization that the guard returned as `id`. */
export function sendLater(app: App, { kind, goodForMs, ...content }: MailText): Effect {
  const now = app.clock.now()
  const id = newId()
  const row = {
    id,
    kind,
    contentSealed: app.sealer.seal(contentPlace(id), JSON.stringify(content satisfies MailContent)),
    nextAttemptAt: now,
    expiresAt: goodForMs === undefined ? null : new Date(now.getTime() + goodForMs),
    createdAt: now,
  }
  return ringing('mails', insertMail(app.sql, row))
}
