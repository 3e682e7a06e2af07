// Fixtures of gate tests: two processes, requests that spend calls and events, and Redis gone or empty.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import type { Answer } from './answer.ts'
import { ahead } from './factories.ts'
import type { Caller } from './http.ts'
import { forgetKeys } from './redisKeys.ts'
import { perFile, serviceTest } from './test.ts'
import { withoutRedis } from './withoutRedis.ts'

export const times = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

export const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

/** `remaining;reset` of the RateLimit header. */
export const quotaOf = ({ headers }: Answer) => {
  const match = /^"quota";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
  assert.ok(match, `RateLimit: ${headers.get('ratelimit')}`)
  return { remaining: Number(match[1]), reset: Number(match[2]) }
}

export const gateTest = () =>
  serviceTest()
    .extend(
      'read',
      perFile,
      ({ call }) =>
        (key: string, by: Caller = call) =>
          by('GET', '/v1/agents', { key }),
    )
    .extend('eventBody', perFile, ({ service }) => () => ({
      title: 'T',
      start_time: ahead(service, 60),
      end_time: ahead(service, 90),
    }))
    .extend(
      'createEvent',
      perFile,
      ({ call, eventBody }) =>
        (key: string, calendarId: string, by: Caller = call, body: object = eventBody()) =>
          by('POST', `/v1/calendars/${calendarId}/events`, { key, body }),
    )
    .extend('stored', perFile, ({ service }) => async (calendarId: string) => {
      const [row] = await service.app.sql<{ count: number }[]>`
        select count(*)::integer as count
        from events
        where calendar_id = ${decodeId('cal', calendarId)!}`
      return row!.count
    })
    /** Deletes all keys of this test's installation in Redis, as after a flush. */
    .extend(
      'forgetEverything',
      perFile,
      ({ service }) =>
        () =>
          forgetKeys(service.app.redis, `${service.app.config.redisPrefix}:*`),
    )
    /** Neither process reaches Redis while `work` runs. */
    .extend(
      'withoutRedis',
      perFile,
      ({ service, second }) =>
        (work: () => Promise<void>) =>
          withoutRedis([service.app.redis, second.app.redis], work),
    )
