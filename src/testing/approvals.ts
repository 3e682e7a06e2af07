// An agent whose keys ask before they change something.
import assert from 'node:assert/strict'
import type { Answer } from './answer.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar } from './factories.ts'
import type { TestService } from './harness.ts'

/** `key`: of the organization. */
export async function openApprovalDesk(service: TestService, key: string) {
  const agent = await makeAgent(service, key, { name: 'Planner' })
  const calendar = await makeCalendar(service, key, agent.id, { name: 'Work', timezone: 'Europe/Berlin' })
  const path = `/v1/calendars/${calendar.id}/events`
  const { call } = service
  const body = (title = 'New', minutes = 60) => ({
    title,
    start_time: ahead(service, minutes),
    end_time: ahead(service, minutes + 1),
  })
  /** A key that asks for everything, unless told otherwise. */
  const guarded = (approval: object = { on: 'all' }, more: object = {}) =>
    makeAgentKey(service, key, agent.id, { approval, ...more })
  /** The approval that a request is answered with. */
  async function ask(as: string, method: string, at: string, sent?: object) {
    const answer = await call(method, at, { key: as, ...(sent && { body: sent }) })
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer.body.approval
  }
  const decide = (id: string, decision: 'approve' | 'reject', as = key, sent: object = {}): Promise<Answer> =>
    call('POST', `/v1/approvals/${id}/${decision}`, { key: as, body: sent })
  const read = async (id: string, as = key) => (await call('GET', `/v1/approvals/${id}`, { key: as })).body
  const titles = async (): Promise<string[]> =>
    (await call('GET', path, { key })).body.data.map(({ title }: { title: string }) => title)
  return { agent, calendar, path, body, guarded, ask, decide, read, titles }
}
