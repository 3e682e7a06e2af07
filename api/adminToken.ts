import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../src/config.ts'
import { sha256 } from '../src/secrets.ts'

/** Compared by hash, so that neither the token's length nor its beginning can be measured. */
export const isAdminToken = ({ adminToken }: Config, given: string): boolean =>
  timingSafeEqual(sha256(given), sha256(adminToken))
