// A request of each mutation of connections, grants and links, in an order in which each can be made.
import { makeOwner, password } from './accounts.ts'
import { makeAgent, makeCalendar } from './factories.ts'
import type { TestService } from './harness.ts'
import type { Asked } from './mutations.ts'
import { type CaldavServer, openCaldavServer } from './providers/caldavServer.ts'

/** A provider to which nobody goes. */
export const someProvider = { CALENDAR_PROVIDERS: JSON.stringify({ google: { client_id: 'x', client_secret: 'y' } }) }

type Accounts = { connected: CaldavServer; linked: CaldavServer; free: CaldavServer }

/** Servers with an account each. */
export async function openAccounts(onCleanup: (close: () => Promise<void>) => void): Promise<Accounts> {
  const [connected, linked, free] = await Promise.all([openCaldavServer(), openCaldavServer(), openCaldavServer()])
  onCleanup(async () => {
    await Promise.all([connected.close(), linked.close(), free.close()])
  })
  return { connected, linked, free }
}

/** For a service with `someProvider`. The accounts of `connected` and, for a link, of `linked` are connected beforehand, that of `free` is not. */
export async function connectionMutationsOf(
  service: TestService,
  { connected, linked, free }: Accounts,
): Promise<Record<string, Asked>> {
  for (const server of [connected, linked, free]) server.addCalendar('personal', { name: 'Personal' })
  const { key, token, email } = await makeOwner(service)
  const { body: other } = await service.call('POST', '/v1/auth/signin', { body: { email, password } })
  const agent = await makeAgent(service, key)
  const [asked, offered, cancelled] = [
    await makeCalendar(service, key, agent.id),
    await makeCalendar(service, key, agent.id),
    await makeCalendar(service, key, agent.id),
  ]
  const make = async (path: string, bearer: string, body: object) =>
    (await service.call('POST', path, { key: bearer, body })).body
  const login = ({ origin, username, password }: CaldavServer) => ({ server_url: origin, username, password })
  const link = await make(`/v1/calendars/${cancelled.id}/connection-links`, key, {})
  const open = await make(`/v1/calendars/${offered.id}/connection-links`, key, {})
  const forLink = await make('/v1/calendar-connections/caldav', token, { ...login(linked), setup_link_id: open.id })
  const connection = await make('/v1/calendar-connections/caldav', token, login(connected))
  const path = `/v1/calendar-connections/${connection.id}`
  const [published, unpublished] = [
    await makeCalendar(service, key, agent.id),
    await makeCalendar(service, key, agent.id),
  ]
  const destination = { external_calendar_id: connection.calendars[0].id }
  await service.call('PATCH', path, { key: token, body: { capabilities: ['availability', 'publishing'] } })
  await service.call('PUT', `/v1/calendars/${unpublished.id}/external-destination`, { key: token, body: destination })
  const selection = { selected_external_calendar_ids: [connection.calendars[0].id] }
  await service.call('PATCH', path, { key: token, body: selection })
  const granted = { external_calendar_ids: selection.selected_external_calendar_ids, audience: 'all_org_agents' }
  const [changed, removed] = [
    await make('/v1/availability-grants', token, granted),
    await make('/v1/availability-grants', token, granted),
  ]
  const at = (method: string, address: string, body?: object): Asked => ({
    ...{ method, path: address, key: token },
    ...(body && { body }),
  })
  return {
    startCalendarConnection: at('POST', '/v1/calendar-connections/oauth/google/start', {}),
    createConnectionLink: { ...at('POST', `/v1/calendars/${asked.id}/connection-links`, {}), key },
    cancelConnectionLink: { ...at('DELETE', `/v1/connection-links/${link.id}`), key },
    completeConnectionLink: at('POST', `/connect/links/${open.id}`, {
      external_calendar_ids: [forLink.calendars[0].id],
    }),
    connectCaldavAccount: at('POST', '/v1/calendar-connections/caldav', login(free)),
    updateCalendarConnection: at('PATCH', path, selection),
    createAvailabilityGrant: at('POST', '/v1/availability-grants', granted),
    updateAvailabilityGrant: at('PATCH', `/v1/availability-grants/${changed.id}`, { active: false }),
    deleteAvailabilityGrant: at('DELETE', `/v1/availability-grants/${removed.id}`),
    setExternalDestination: at('PUT', `/v1/calendars/${published.id}/external-destination`, destination),
    deleteExternalDestination: at('DELETE', `/v1/calendars/${unpublished.id}/external-destination`),
    pauseCalendarConnection: at('POST', `${path}/pause`),
    resumeCalendarConnection: at('POST', `${path}/resume`),
    reauthorizeCalendarConnection: at('POST', `${path}/reauthorize`, { password: connected.password }),
    deleteCalendarConnection: at('DELETE', path),
    changeConnectionOnPage: at('POST', `/connect/connections/${forLink.id}/pause`),
    signOutOfConnections: { ...at('POST', '/connect/signout'), key: other.token },
  }
}

/** A refresh waits for a worker. */
export const waitingConnectionMutations = ['refreshCalendarConnection']
