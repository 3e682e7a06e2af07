// Keys that work from some networks alone, the last use of keys, and the list of refused requests.

import { setTimeout as pause } from 'node:timers/promises'
import { purgeRefusedRequests } from '../../src/refusedRequests/retention.ts'
import { hourMs } from '../../src/shapes/durations.ts'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import { callOf, made } from '../world/client.ts'
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const bench = 'people'
const rounds = 5
const roundMs = 2_000
const connections = 48
const refusedCount = 1_000_000
const insertedAtOnce = 100_000
const goalMs = 5
const usesRounds = 2
/** Each second so many keys are used for the first time. */
const newKeysASecond = 8
const usesSeconds = 25
const usesGoalMs = 10_000
/** A session was 0.454 of a key when an organization had one login, measured beside today's version; 0.97 of that. */
const leastBySession = 0.44
/** Less than a paid plan keeps them. */
const refusedOverHours = 160

export async function benchPeople(world: World): Promise<Row[]> {
  const person = await signUp(world)
  const { id } = await person.create('/v1/agents', { name: 'Agent', type: 'ai' })
  const ask = (bearer: string) => async () => {
    const requests = [wireRequest('GET', `/v1/agents/${id}`, { key: bearer })]
    const order = { port: world.apiPort, connections, requests, status: 200, until: { ms: roundMs } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const key = await person.makeKey({ name: 'From everywhere' })
  const networks = Array.from({ length: 19 }, (_, nth) => `198.51.${nth}.0/24`)
  const bound = await person.makeKey({ name: 'From here', allowed_ips: [...networks, '127.0.0.0/8'] })
  const byNetwork = await interleaved(rounds, { ours: ask(bound), baseline: ask(key) })
  const bySession = await interleaved(rounds, { ours: ask(person.session), baseline: ask(key) })
  const uses = await interleaved(usesRounds, {
    ours: (round) => msBetweenUses(world, person, `Used in round ${round}`, id),
    baseline: () => usesGoalMs,
  })
  await fillRefused(world, decodeId('org', person.orgId)!)
  const pages = await interleaved(rounds, { ours: () => pageMs(world, person.session), baseline: () => goalMs })
  return [
    rowOf({ bench, name: 'GET agent, key of 20 networks ÷ of all', target: { atLeast: 0.99 } }, byNetwork, perSecond),
    rowOf({ bench, name: 'GET agent by session ÷ by key', target: { atLeast: leastBySession } }, bySession, perSecond),
    rowOf({ bench, name: 'time between statements of last uses ÷ 10 s', target: { atLeast: 1 } }, uses, millis),
    rowOf({ bench, name: 'a page of 1,000,000 refused requests ÷ 5 ms', target: { atMost: 1 } }, pages, millis),
  ]
}

type Person = Awaited<ReturnType<typeof signUp>>

/** A person whose organization has no limits. */
async function signUp({ baseUrls, adminToken }: World) {
  const call = callOf(baseUrls[0])
  const { version } = await made(call('GET', '/v1/auth/terms/current'))
  const account = { email: 'people@example.com', password: 'correct horse battery', tos_version: version }
  const { org, token } = await made(call('POST', '/v1/auth/signup', { body: account }))
  const body = { plan: 'custom', limits: { api_calls: 1_000_000_000 }, rate_limit_per_second: 1_000_000 }
  await made(call('PATCH', `/v1/admin/orgs/${org.id}`, { key: adminToken, body }))
  const create = (path: string, sent: object) => made(call('POST', path, { key: token, body: sent }))
  const makeKey = async (sent: object): Promise<string> => (await create('/v1/auth/keys', sent)).key
  return { orgId: org.id as string, session: token as string, create, makeKey }
}

/** Between two statements on average, to 100 ms, because commits are dated to some milliseconds. All keys go on being used. */
async function msBetweenUses(world: World, person: Person, name: string, agentId: string): Promise<number> {
  const { sql } = world.app
  const requests: string[] = []
  for (let second = 0; second < usesSeconds; second++) {
    for (let nth = 0; nth < newKeysASecond; nth++)
      requests.push(wireRequest('GET', `/v1/agents/${agentId}`, { key: await person.makeKey({ name }) }))
    const until = { answers: requests.length }
    await world.load({ port: world.apiPort, connections: newKeysASecond, requests, status: 200, until })
    await pause(1_000)
  }
  for (;;) {
    const [used] = await sql<{ statements: number; seconds: number; unused: number }[]>`
      select count(distinct at)::integer as statements, extract(epoch from max(at) - min(at))::float as seconds,
        (count(*) filter (where last_used_at is null))::integer as unused
      from (
        select last_used_at, case when last_used_at is not null then pg_xact_commit_timestamp(xmin) end as at
        from api_keys
        where label = ${name}) k`
    if (used!.unused === 0) return Math.round((used!.seconds * 10) / (used!.statements - 1)) * 100
    await pause(100)
  }
}

async function pageMs(world: World, session: string): Promise<number> {
  const requests = [wireRequest('GET', '/v1/requests', { key: session })]
  const order = { port: world.apiPort, connections: 1, requests, status: 200, until: { answers: 50 } }
  return (await world.load(order)).p50Ms
}

async function fillRefused({ app }: World, orgId: Uuid): Promise<void> {
  await purgeRefusedRequests(app)
  for (let first = 1; first <= refusedCount; first += insertedAtOnce) {
    await app.sql`
      insert into refused_requests (org_id, id, at, kept_until, method, path, status, type, param, duration_ms)
      select ${orgId}::uuid, uuidv7(), at, at + interval '7 days', 'POST', '/v1/calendars', 400, 'validation_error', 'name', 3
      from generate_series(${first}::integer, ${first + insertedAtOnce - 1}::integer) as n,
        lateral (select now() - n * interval '1 millisecond' * ${refusedOverHours * hourMs}::bigint / ${refusedCount}::integer as at) made`
  }
  await app.sql`vacuum analyze refused_requests`
}
