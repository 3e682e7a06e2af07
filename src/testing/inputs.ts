// Fixtures of input tests: one agent with a calendar and an event, and requests that create more of them.
import assert from 'node:assert/strict'
import type { Answer } from './answer.ts'
import { ahead, makeAgent, makeCalendar, makeEvent } from './factories.ts'
import type { CallOptions } from './http.ts'
import { assertRefused } from './refused.ts'
import { perFile, serviceTest } from './test.ts'

export const agentBody = (more: object = {}) => ({ name: 'Agent', type: 'ai', ...more })

export const isInvalid = (answer: Answer, param: string | null = null, code?: string) =>
  assertRefused(answer, 400, 'validation_error', code ? { param, code } : { param })

export const inputTest = () =>
  serviceTest()
    .extend('agent', perFile, ({ service, key }) => makeAgent(service, key))
    .extend('calendar', perFile, ({ service, key, agent }) => makeCalendar(service, key, agent.id))
    .extend('event', perFile, ({ service, key, calendar }) => makeEvent(service, key, calendar.id))
    .extend('eventsPath', perFile, ({ calendar }) => `/v1/calendars/${calendar.id}/events`)
    .extend('eventBody', perFile, ({ service }) => (more: object = {}) => ({
      title: 'T',
      start_time: ahead(service, 60),
      end_time: ahead(service, 90),
      ...more,
    }))
    .extend(
      'postAgent',
      perFile,
      ({ call, key }) =>
        (options: CallOptions) =>
          call('POST', '/v1/agents', { key, ...options }),
    )
    .extend(
      'postEvent',
      perFile,
      ({ call, key, eventsPath }) =>
        (body: object) =>
          call('POST', eventsPath, { key, body }),
    )
    /** Runs `work` and asserts that it leaves as many records as there were. */
    .extend('storesNothing', perFile, ({ call, key, eventsPath }) => async (work: () => Promise<void>) => {
      const count = async () => {
        const paths = ['/v1/agents', '/v1/calendars?include=all', eventsPath, '/v1/webhooks']
        const lists = await Promise.all(paths.map((path) => call('GET', path, { key })))
        return lists.map(({ body }) => body.total)
      }
      const before = await count()
      await work()
      assert.deepEqual(await count(), before)
    })
