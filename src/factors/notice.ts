// A change of the sign-in of an account is told twice: by a mail to it, and in the audit log of each of its organizations.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import type { Effect } from '../commit/effect.ts'
import { sendLater } from '../mails/mails.ts'
import { type SecurityNews, securityNotice } from '../mails/texts.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { organizationsOf } from './queries.ts'

const actions = {
  on: 'factor.enable',
  off: 'factor.disable',
  reset: 'factor.reset',
  recovery_used: 'factor.recovery_used',
} as const satisfies Partial<Record<SecurityNews, string>>

/** `account`: the address of the session that did it; without it, nobody was signed in. */
type About = { accountId: Uuid; email: string; request: RequestContext; account?: string | undefined }

export async function noticeOf(app: App, about: About, news: keyof typeof actions): Promise<Effect[]> {
  const { accountId, email, request, account } = about
  const organizations = await organizationsOf(app.sql, accountId)
  const entries = organizations.map(({ orgId, memberId, role }) => {
    const member = { id: memberId, accountId, role }
    const actor = { orgId, keyPrefix: null, request, ...(account && { account, member }) }
    return { actor, action: actions[news], resource: encodeId('mem', memberId) }
  })
  const [first] = organizations
  if (!first) return []
  return [
    auditEntries(app, entries, 'factor_audit'),
    sendLater(app, securityNotice(app, email, news, app.clock.now()), first.orgId),
  ]
}
