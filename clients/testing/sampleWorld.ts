// Where the samples of the reference run: the real service behind a proxy that notes the answer to each sample, and an
// organization that has one of each thing.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeOwner } from '../../src/testing/accounts.ts'
import { makeAgent, makeCalendar, makeEvent, makeHold, makeProposal, makeWebhook } from '../../src/testing/factories.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'

export type Sample = { id: string; http: string; path: string; source: string }

type Noted = { id: string; http: string; path: string; status: number }

type SampleDoor = { url: string; noted: Noted[]; close(): Promise<void> }

/** Requests below `<url>/<operation>` go to the service, from a new address each time: limits per address are not the subject. */
export async function openSampleDoor(service: TestService): Promise<SampleDoor> {
  const noted: Noted[] = []
  let count = 0
  const server = createServer((req, res) => {
    const [, id = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(req.url ?? '') ?? []
    count++
    const headers = { ...req.headers, 'x-forwarded-for': `198.18.${count >> 8}.${count & 255}` }
    const onward = request(service.baseUrl + path, { method: req.method, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      noted.push({ id, http: req.method!, path, status: answer.statusCode! })
      res.writeHead(answer.statusCode!, answer.headers).end(body)
    })
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    noted,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

type SampleWorld = { env: Record<string, string>; fill(sample: Sample): Sample }

/** `name`: no two worlds of a service have the same one. `fill` puts identifiers that exist in the place of those of the document. */
export async function makeSampleWorld(service: TestService, url: string, name: string): Promise<SampleWorld> {
  const { id: org, key, token } = await makeOwner(service)
  const post = async (path: string, body: object) => (await service.call('POST', path, { key, body })).body
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const [first, second] = [
    await makeHold(service, key, (await makeCalendar(service, key)).id),
    await makeHold(service, key, (await makeCalendar(service, key)).id),
  ]
  const deleted = await makeEvent(service, key, calendar.id)
  await service.call('DELETE', `/v1/events/${deleted.id}`, { key })
  const proposal = await makeProposal(service, key, {
    ...{ organizer_agent_id: agent.id, participant_agent_ids: [agent.id], calendar_id: calendar.id },
  })
  const { slots } = (await service.call('GET', `/v1/scheduling/proposals/${proposal.id}`, { key })).body
  const page = await post('/v1/booking-pages', { calendar_id: calendar.id, title: 'Intro', duration_minutes: 30 })
  const ids: Record<string, string> = {
    ...{ org, agt: agent.id, cal: calendar.id, evt: (await makeEvent(service, key, calendar.id)).id },
    ...{ spr: proposal.id, slt: slots[0].id, bkp: page.id },
    key: (await post('/v1/keys', { agent_id: agent.id })).id,
    whk: (await makeWebhook(service, key, 'http://127.0.0.1:9/', ['event.created'])).id,
    ics: (
      await post(`/v1/agents/${agent.id}/ical-subscriptions`, {
        calendar_id: calendar.id,
        url: 'http://127.0.0.1:9/calendar.ics',
      })
    ).id,
    csl: (await post(`/v1/calendars/${calendar.id}/connection-links`, { capabilities: ['availability'] })).id,
  }
  return {
    env: { AGENT_CALENDAR_KEY: key, ADMIN_TOKEN: adminToken, SESSION: token },
    fill(sample) {
      const own: Record<string, string> = {
        ...ids,
        ...(sample.id === 'confirmHold' && { evt: first.id }),
        ...(sample.id === 'releaseHold' && { evt: second.id }),
        ...(sample.id === 'restoreEvent' && { evt: deleted.id }),
      }
      const source = sample.source
        .replaceAll(service.baseUrl, `${url}/${sample.id}`)
        .replace(/\b([a-z]{3})_01k9xr8m3fe8tbc4x9m2v7h5qd/g, (text, prefix: string) => own[prefix] ?? text)
        .replaceAll('@example.com', `@${name}.example.com`)
        .replaceAll('k3v9q2m7x5d8', page.slug)
      return { ...sample, source }
    },
  }
}
