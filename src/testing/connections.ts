// A human of an organization with a console session and a CalDAV account, and what they do with it.
import assert from 'node:assert/strict'
import { makeOwner } from './accounts.ts'
import { makeAgent, makeCalendar } from './factories.ts'
import { type CaldavServer, openCaldavServer } from './providers/caldavServer.ts'
import { perFile, serviceTest } from './test.ts'

type Options = Parameters<typeof serviceTest>[0]

/** `desk` is a new organization for each test, with an agent and its calendar, and a server of its own. */
export const connectionTest = (options: Options = {}) =>
  serviceTest(options)
    .extend('caldav', perFile, async ({ service: _ }, { onCleanup }) => {
      const server = await openCaldavServer()
      onCleanup(server.close)
      return server
    })
    .extend('desk', async ({ service, caldav }) => {
      reset(caldav)
      const { id: orgId, email, token, key } = await makeOwner(service)
      const agent = await makeAgent(service, key)
      const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })
      const session = (method: string, path: string, body?: object) =>
        service.call(method, path, { key: token, ...(body && { body }) })
      const ok = async (method: string, path: string, body?: object, status = 200) => {
        const answer = await session(method, path, body)
        assert.equal(answer.status, status, JSON.stringify(answer.body))
        return answer.body
      }
      const login = { server_url: caldav.origin, username: caldav.username, password: caldav.password }
      const connect = (body: object = {}) => session('POST', '/v1/calendar-connections/caldav', { ...login, ...body })
      const connected = () => ok('POST', '/v1/calendar-connections/caldav', login, 201)
      const read = (id: string) => ok('GET', `/v1/calendar-connections/${id}`)
      async function granted() {
        const connection = await connected()
        const calendarId: string = connection.calendars[0].id
        await ok('PATCH', `/v1/calendar-connections/${connection.id}`, { selected_external_calendar_ids: [calendarId] })
        const grant = await ok(
          'POST',
          '/v1/availability-grants',
          { external_calendar_ids: [calendarId], audience: 'selected_agents', agent_ids: [agent.id] },
          201,
        )
        await service.drain()
        return { connection, calendarId, grant }
      }
      /** A connection for publishing, and the first calendar as the destination of the desk's calendar. */
      async function published(policy = 'confirmed', further: object = {}) {
        const made = await connect({ capabilities: ['publishing'], ...further })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        const { id, calendars } = made.body
        const [external_calendar_id, other] = calendars.map((one: { id: string }) => one.id)
        const path = `/v1/calendars/${calendar.id}/external-destination`
        const destination = await ok('PUT', path, { external_calendar_id, policy })
        return { id: id as string, external_calendar_id, other, path, destination }
      }
      return {
        published,
        orgId,
        email,
        token,
        key,
        agent,
        calendar,
        session,
        ok,
        drain: service.drain,
        login,
        connect,
        connected,
        read,
        granted,
      }
    })

function reset(server: CaldavServer): void {
  server.username = 'ada'
  server.password = 'correct horse'
  server.atOthers = 403
  server.quirk = () => undefined
  server.replyAfter = () => undefined
  server.asked.length = 0
  for (const id of ['personal', 'work']) server.dropCalendar(id)
  server.addCalendar('personal', { name: 'Personal' })
  server.addCalendar('work', { name: 'Work' })
}
