// A stall of Postgres that outlasts the deadline of a statement, under requests of many organizations.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import type { Answer } from '../../src/testing/answer.ts'
import { makeOrganization, type TestOrganization } from '../../src/testing/factories.ts'
import { freezeBackends } from '../../src/testing/frozenBackends.ts'
import type { TestService } from '../../src/testing/harness.ts'
import type { Caller } from '../../src/testing/http.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const deadlineMs = 1_000
const count = 24

const test = serviceTest().extend('organizations', perFile, async ({ service }) => {
  const organizations: TestOrganization[] = []
  for (let nth = 0; nth < count; nth++) organizations.push(await makeOrganization(service, { plan: 'pro' }))
  return organizations
})

const unknownKey = () => `svc_sk_${randomBytes(32).toString('base64url')}`

/** Wherever the answer names an organization, it is the caller's. */
function assertOwn({ id }: TestOrganization, { status, headers, body }: Answer) {
  assert.ok([200, 201, 503].includes(status), `${status} ${JSON.stringify(body)}`)
  const identity = /pk=(\w+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  if (identity) assert.equal(identity, id)
  for (const record of body.data ?? (status === 201 ? [body] : [])) {
    assert.deepEqual([record.orgId, record.name], [id, `made by ${id}`])
  }
}

/** Makes every connection of the process look up keys, all of them unknown. */
async function lookUpKeys(call: Caller) {
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 40 }, () => call('GET', '/v1/agents', { key: unknownKey() })))
  }
}

/** The answers to organizations from a process whose backends stall: before, during, between and after. */
async function stall(
  service: TestService,
  { call }: TestProcess,
  organizations: readonly TestOrganization[],
  onTestFinished: TestContext['onTestFinished'],
): Promise<Answer[]> {
  const each = (work: (organization: TestOrganization) => Promise<Answer>) => Promise.all(organizations.map(work))
  const list = ({ key }: TestOrganization) => call('GET', '/v1/agents', { key })
  const create = ({ id, key }: TestOrganization) =>
    call('POST', '/v1/agents', { key, body: { name: `made by ${id}`, type: 'ai' } })
  await lookUpKeys(call)
  const backends = await freezeBackends(service.app.sql, 'agent-calendar test, another process')
  onTestFinished(() => backends.thaw())
  const during = each(list)
  await pass(deadlineMs + 100)
  const between = each(create)
  await pass(deadlineMs / 2)
  backends.thaw()
  return [...(await during), ...(await between), ...(await each(list)), ...(await each(create))]
}

test('after a stall beyond the deadline every organization gets its own answers and records', async ({
  service,
  organizations,
  onTestFinished,
}) => {
  for (let round = 0; round < 3; round++) {
    const process = await openProcess(service, { statementDeadlineMs: deadlineMs })
    const answers = await stall(service, process, organizations, onTestFinished)
    await process.close()
    for (const [nth, answer] of answers.entries()) assertOwn(organizations[nth % count]!, answer)
  }
  for (const organization of organizations) {
    const answer = await service.call('GET', '/v1/agents', { key: organization.key })
    assert.equal(answer.status, 200)
    assertOwn(organization, answer)
    assert.ok(answer.body.data.length >= 3, 'what was sent after the stalls took place')
  }
})
