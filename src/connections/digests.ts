// Digests under a key of the organization: by them accounts, calendars and objects of providers are found without being known.
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'
import { randomToken } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { digestKey } from './queries.ts'
import { keyPlace } from './sealed.ts'
import { insertDigestKey } from './writes.ts'

/** What `kind` of thing `text` names; in hexadecimal. */
export type Digests = (kind: 'account' | 'calendar' | 'object', text: string) => string

/** The first call for an organization makes its key. */
export async function digestsOf({ sql, sealer }: Pick<App, 'sql' | 'sealer'>, orgId: Uuid): Promise<Digests> {
  let [row] = await digestKey(sql, orgId)
  if (!row) {
    await insertDigestKey(sql, orgId, sealer.seal(keyPlace(orgId), randomToken()))
    ;[row] = await digestKey(sql, orgId)
  }
  const key = sealer.unseal(keyPlace(orgId), row!.keySealed)
  return (kind, text) => createHmac('sha256', key).update(`${kind}\0${text}`).digest('hex')
}
