// Mails wait as rows, written in the statement of the change that they tell of; the row goes when the mail went.
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { insertMail } from './queries.ts'
import type { MailText } from './texts.ts'

export type MailContent = Pick<MailText, 'to' | 'subject' | 'text'>

export const contentPlace = (id: Uuid) => `mails.content_sealed:${id}` as const

/** To whoever owns the organization that the guard returned as `id`. The effect must be called `mails` to be rung for. */
export function mailed(app: App, { kind, goodForMs, ...content }: MailText): Fragment {
  const now = app.clock.now()
  const id = newId()
  return insertMail(app.sql, {
    id,
    kind,
    contentSealed: app.sealer.seal(contentPlace(id), JSON.stringify(content satisfies MailContent)),
    nextAttemptAt: now,
    expiresAt: goodForMs === undefined ? null : new Date(now.getTime() + goodForMs),
    createdAt: now,
  })
}
