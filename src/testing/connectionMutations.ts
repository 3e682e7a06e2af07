// A request of each mutation of connections, grants and links, in an order in which each can be made.
import { makeOwner } from './accounts.ts'
import { type CaldavServer, openCaldavServer } from './caldavServer.ts'
import { makeAgent, makeCalendar } from './factories.ts'
import type { TestService } from './harness.ts'
import type { Asked } from './mutations.ts'

type Accounts = { connected: CaldavServer; free: CaldavServer }

/** Two servers with an account each. */
export async function openAccounts(onCleanup: (close: () => Promise<void>) => void): Promise<Accounts> {
  const [connected, free] = await Promise.all([openCaldavServer(), openCaldavServer()])
  onCleanup(async () => {
    await Promise.all([connected.close(), free.close()])
  })
  return { connected, free }
}

/** `connected` has an account that is connected beforehand, `free` one that is not. */
export async function connectionMutationsOf(
  service: TestService,
  { connected, free }: Accounts,
): Promise<Record<string, Asked>> {
  for (const server of [connected, free]) server.addCalendar('personal', { name: 'Personal' })
  const { key, token } = await makeOwner(service)
  const agent = await makeAgent(service, key)
  const [asked, linked] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, agent.id)]
  const make = async (path: string, bearer: string, body: object) =>
    (await service.call('POST', path, { key: bearer, body })).body
  const login = ({ origin, username, password }: CaldavServer) => ({ server_url: origin, username, password })
  const link = await make(`/v1/calendars/${linked.id}/connection-links`, key, {})
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
    createConnectionLink: { ...at('POST', `/v1/calendars/${asked.id}/connection-links`, {}), key },
    cancelConnectionLink: { ...at('DELETE', `/v1/connection-links/${link.id}`), key },
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
  }
}

/** A refresh waits for a worker; nobody can start with a provider that is not configured. */
export const otherConnectionMutations = [
  ...['changeConnectionOnPage', 'completeConnectionLink', 'signOutOfConnections'],
  'refreshCalendarConnection',
  'startCalendarConnection',
]
