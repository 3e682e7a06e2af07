// A human of an organization with a console session, an agent and its calendar, and their way through a provider of calendars.
import assert from 'node:assert/strict'
import { makeOwner } from './accounts.ts'
import { makeAgent, makeCalendar } from './factories.ts'
import type { TestService } from './harness.ts'

/** A new organization. Its human answers the provider as the emulator of that is told. */
export async function openOauthDesk(service: TestService, provider: 'google' | 'microsoft') {
  const { id: orgId, email: owner, token, key } = await makeOwner(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })

  const session = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: token, ...(body && { body }) })
  const ok = async (method: string, path: string, body?: object, status = 200) => {
    const answer = await session(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const start = async (body: object = {}): Promise<string> =>
    (await ok('POST', `/v1/calendar-connections/oauth/${provider}/start`, body)).authorization_url
  /** Goes to the provider and back; returns the path of the page that follows. */
  const travel = async (authorizationUrl: string): Promise<string> => comeBack(await answered(authorizationUrl))
  const answered = async (authorizationUrl: string): Promise<string> => {
    const response = await fetch(authorizationUrl, { redirect: 'manual' })
    assert.equal(response.status, 302, await response.text())
    return response.headers.get('location')!
  }
  const comeBack = async (location: string, bearer: string | undefined = token): Promise<string> => {
    const back = new URL(location)
    const { status, headers } = await service.call('GET', back.pathname + back.search, {
      redirect: 'manual',
      ...(bearer && { headers: { cookie: `svc_session=${bearer}` } }),
    })
    assert.equal(status, 302)
    const { pathname, search } = new URL(headers.get('location')!)
    return pathname + search
  }
  const connected = async (body: object = {}) => {
    assert.equal(await travel(await start(body)), '/connect')
    const { data } = await ok('GET', '/v1/calendar-connections')
    return ok('GET', `/v1/calendar-connections/${data[0].id}`)
  }
  const read = (id: string) => ok('GET', `/v1/calendar-connections/${id}`)
  async function granted(body: object = {}) {
    const connection = await connected(body)
    const calendarId: string = connection.calendars[0].id
    await ok('PATCH', `/v1/calendar-connections/${connection.id}`, { selected_external_calendar_ids: [calendarId] })
    const grant = { external_calendar_ids: [calendarId], audience: 'selected_agents', agent_ids: [agent.id] }
    await ok('POST', '/v1/availability-grants', grant, 201)
    await service.drain()
    return { connection, calendarId }
  }
  return {
    ...{ orgId, owner, token, key, agent, calendar, session, ok, drain: service.drain },
    ...{ start, travel, answered, comeBack, connected, read, granted },
  }
}
