// Accounts: who can sign in for an organization. The parts that a sign-up is composed of.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import {
  type AccountRow,
  accountByIdentity,
  attachedAccount,
  dropPassword,
  endSessions,
  insertAccount,
  insertIdentity,
} from './queries.ts'

/** The account of the organization that the guard returned as `id`. */
export const newAccount = ({ sql, clock }: App, email: string, passwordHash: string | null): Fragment =>
  insertAccount(sql, email.toLowerCase(), passwordHash, clock.now())

/** The guard of a sign-up to an organization that was made without an account; matches nothing once it has one. */
export const firstAccount = ({ sql, clock }: App, orgId: Uuid, email: string, passwordHash: string | null): Fragment =>
  attachedAccount(sql, { orgId, email: email.toLowerCase(), passwordHash }, clock.now())

/** Lets the identity sign in to the account of the organization that the guard returned as `id`. */
export const newIdentity = ({ sql, clock }: App, { issuer, subject }: { issuer: string; subject: string }): Fragment =>
  insertIdentity(sql, issuer, subject, clock.now())

/** Whom a provider's identity has signed in before. */
export const identified = async (
  { sql }: App,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<AccountRow | undefined> => (await accountByIdentity(sql, issuer, subject))[0]

/** Locks out whoever signed up with an address that was not theirs: the password goes, and so do the sessions. */
export const withoutPassword = ({ sql, clock }: App) => ({
  password: dropPassword(sql, clock.now()),
  sessions: endSessions(sql),
})
