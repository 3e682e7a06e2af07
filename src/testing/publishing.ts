// Events of the desk's calendar that are published, and what their copies say.
import assert from 'node:assert/strict'
import { connectionTest } from './connections.ts'

/** 3 March 2026, an hour after the set clock at the earliest. */
export const at = (hour: number, day = 3) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`

/** Of copies. */
export const titlesOf = (objects: Map<string, string>) =>
  [...objects.values()].map((text) => /SUMMARY:(.*?)\r?\n/.exec(text)?.[1]).sort()

export const publishingTest = (options: Parameters<typeof connectionTest>[0] = {}) =>
  connectionTest({ plan: 'pro', ...options }).extend('events', async ({ service, desk }) => {
    const ask = async (method: string, path: string, body?: object) =>
      service.call(method, path, { key: desk.key, ...(body && { body }) })
    const create = async (body: object = {}) => {
      const times = { start_time: at(9), end_time: at(10) }
      const answer = await ask('POST', `/v1/calendars/${desk.calendar.id}/events`, {
        title: 'Planning',
        ...times,
        ...body,
      })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body
    }
    /** Returns what becomes of the copy. */
    const change = async (id: string, body: object): Promise<string> => {
      const answer = await ask('PATCH', `/v1/events/${id}`, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.external_sync.status
    }
    return { ask, create, change }
  })
