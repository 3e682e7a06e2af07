// Who calls P3: the key by its hash, and one call of Redis for the rate.
import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Redis } from 'ioredis'
import type { Sql } from 'postgres'

export type Caller = { orgId: string; keyId: string; callsPerSecond: number }

export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const requireCaller =
  (sql: Sql, redis: Redis): RequestHandler =>
  async (req, res, next) => {
    const key = req.get('authorization')?.slice('Bearer '.length) ?? ''
    const hash = createHash('sha256').update(key).digest('hex')
    const [caller] = await sql<Caller[]>`
      select k.id as key_id, k.org_id, o.calls_per_second
      from p3_keys k join p3_organizations o on o.id = k.org_id
      where k.hash = ${hash} and k.revoked_at is null`
    if (!caller) throw new Refusal(401, 'this key is not active')
    const window = `p3:calls:${caller.orgId}:${Math.floor(Date.now() / 1_000)}`
    const [counted] = (await redis.multi().incr(window).expire(window, 2).exec()) ?? []
    if (Number(counted?.[1]) > caller.callsPerSecond) throw new Refusal(429, 'too many calls in this second')
    res.locals.caller = caller
    next()
  }
