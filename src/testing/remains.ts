// Everything that a request could leave behind: all rows, the budgets in Redis, the mails and the wake-ups.
import type { TestService } from './harness.ts'

/** A dry run asks the server of a human as the request itself does, so it counts. */
const ofCaldav = /:throttle:caldav_connect:/

/** The price of any request: a call of the month, and a token of its rate. */
const ofTheCall = /^(api_calls|tokens|at):/

/** The price of a form: tokens of the rate of its address. */
const ofForms = /:throttle:connect_post:/

/** They report requests, whatever these did. */
const reports = ['refused_requests']

/** It goes by itself in the meantime. */
const ofASecond = /:throttle:\w+_second(_all)?:/

export async function remainsOf({ app }: TestService): Promise<Record<string, unknown>> {
  const { sql, redis, config } = app
  const tables = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition
    order by relname`
  const remains: Record<string, unknown> = {}
  for (const { name } of tables) {
    if (reports.includes(name)) continue
    // The last use of a key is noted for any request.
    const [row] = await sql<{ rows: string }[]>`
      select count(*) || ' ' || coalesce(md5(string_agg(r, ',' order by r)), '') as rows
      from ${sql(name)} t, lateral (select (to_jsonb(t) - 'last_used_at')::text as r)`
    remains[name] = row!.rows
  }
  const keys = (await redis.keys(`${config.redisPrefix}:*`))
    .filter((key) => ![ofCaldav, ofForms, ofASecond].some((pattern) => pattern.test(key)))
    .toSorted()
  const contents = await Promise.all(
    keys.map(async (key) => {
      // It would go by itself in the meantime, on a slow day.
      if (key.includes(':throttle:')) await redis.persist(key)
      if ((await redis.type(key)) !== 'hash') return 'there'
      const fields = Object.entries(await redis.hgetall(key)).filter(([field]) => !ofTheCall.test(field))
      return Object.fromEntries(fields.toSorted())
    }),
  )
  for (const [nth, key] of keys.entries()) remains[key] = contents[nth]
  return remains
}
