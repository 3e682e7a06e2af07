// Finding accounts. One e-mail address has one account, whatever organizations it belongs to.
import type { App } from '../app.ts'
import { findByEmail } from '../organizations/organizations.ts'
import type { Holder } from '../organizations/row.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Identity } from './oidc.ts'
import { type AccountRow, accountByEmail, accountById, accountByIdentity } from './queries.ts'

export type { AccountRow } from './queries.ts'

export const findAccount = async ({ sql }: App, email: string): Promise<AccountRow | undefined> =>
  (await accountByEmail(sql, email.toLowerCase()))[0]

export const findAccountById = async ({ sql }: App, id: Uuid): Promise<AccountRow | undefined> =>
  (await accountById(sql, id))[0]

/** The account that an identity of a provider has signed in to before. */
export const findAccountOf = async (
  { sql }: App,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<AccountRow | undefined> => (await accountByIdentity(sql, issuer, subject))[0]

type Known = { account: AccountRow } | { account?: undefined; organization: Holder | undefined }

/** Who has an address already: an account or, as long as it has no member, an organization. */
export async function findKnown(app: App, email: string): Promise<Known> {
  const account = await findAccount(app, email)
  return account ? { account } : { organization: await findByEmail(app, email) }
}
