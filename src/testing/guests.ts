// Booking pages and their guests, each at an address of its own.
import assert from 'node:assert/strict'
import type { Answer } from './answer.ts'
import { makeAgent, makeCalendar, makeOrganization } from './factories.ts'
import type { TestService } from './harness.ts'

/** With this in its environment a service believes `X-Forwarded-For`, so that guests can come from many addresses. */
export const guestEnv = { TRUSTED_PROXIES: 'loopback' }

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
export type TestPage = { key: string; orgId: string; calendar: any; page: any }

/** A page on the calendar of a new agent in a new organization. */
export async function makePage(
  service: TestService,
  body: object = {},
  options: Parameters<typeof makeOrganization>[1] = {},
): Promise<TestPage> {
  const { id, key } = await makeOrganization(service, options)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const answer = await service.call('POST', '/v1/booking-pages', {
    key,
    body: { calendar_id: calendar.id, title: 'Chat', ...body },
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { key, orgId: id, calendar, page: answer.body }
}

let addresses = 0

/** An address that no guest has come from yet. */
export const newAddress = (): string => {
  addresses++
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export const bookSlot = (
  { call }: TestService,
  slug: string,
  start: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  call('POST', `/book/${slug}`, {
    body: { name: 'Ada Guest', email: 'ada@example.com', start, ...body },
    headers: { 'x-forwarded-for': newAddress(), ...headers },
  })

/** The starts that the page offers. */
export async function startsOf({ call }: TestService, slug: string, query = ''): Promise<string[]> {
  const answer = await call('GET', `/book/${slug}/slots${query}`, { headers: { 'x-forwarded-for': newAddress() } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.slots.map(({ start }: { start: string }) => start)
}
