// Digests under a key of the organization: by them accounts, calendars and objects of providers, and labels, are found without being known.
import { createHmac } from 'node:crypto'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { randomToken } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { digestKey } from './queries.ts'
import { keyContext } from './sealed.ts'
import { insertDigestKey } from './writes.ts'

/** `kind`: the kind of thing that `text` names; in hexadecimal. */
export type Digests = (
  kind: 'account' | 'calendar' | 'object' | 'copy' | 'content' | 'uid' | 'busy' | 'label',
  text: string,
) => string

/** The first call for an organization makes its key. */
export async function digestsOf({ sql, sealer }: Pick<App, 'sql' | 'sealer'>, orgId: Uuid): Promise<Digests> {
  let [row] = await digestKey(sql, orgId)
  if (!row) {
    await insertDigestKey(sql, orgId, sealer.seal(keyContext(orgId), randomToken()))
    ;[row] = await digestKey(sql, orgId)
  }
  return digestsBy(sealer.unseal(keyContext(orgId), row!.keySealed))
}

/** Undefined for an organization without a key: nothing of a provider is known of it. */
export async function knownDigests(
  { sql, sealer }: Pick<App, 'sql' | 'sealer'>,
  orgId: Uuid,
): Promise<Digests | undefined> {
  const [row] = await digestKey(sql, orgId)
  return row && digestsBy(sealer.unseal(keyContext(orgId), row.keySealed))
}

/** The same as `digestsOf` for a request, which makes no key if it is a dry run: without one nothing is known that could be found. */
export async function digestsFor(app: App, { orgId, request }: Actor): Promise<Digests> {
  if (request.dryRun) return (await knownDigests(app, orgId)) ?? digestsBy(randomToken())
  return digestsOf(app, orgId)
}

const digestsBy =
  (key: string): Digests =>
  (kind, text) =>
    createHmac('sha256', key).update(`${kind}\0${text}`).digest('hex')
