// The owner of an organization that the operator of this machine makes for themselves: `npm start` has no mail to prove anything by.
import { findAccount } from '../accounts/accounts.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { insertOwner, memberlessGuard } from '../accounts/writes.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { newId, type Uuid } from '../shapes/ids.ts'

type FirstOwner = { orgId: Uuid; email: string; password: string }

/** Does nothing if the address has an account, or the organization a member. */
export async function ensureFirstOwner(app: App, { orgId, email, password }: FirstOwner): Promise<void> {
  if (await findAccount(app, email)) return
  const passwordHash = await hashPassword(app, password)
  const now = app.clock.now()
  await commit(app, {
    guard: memberlessGuard(app.sql, orgId),
    effects: insertOwner(app.sql, { id: newId(), memberId: newId(), email, passwordHash, provenAt: now, now }),
  })
}
