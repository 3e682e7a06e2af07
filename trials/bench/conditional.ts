// Requests with the tag of a record against the same without: PATCH of the state that was read, GET of an unchanged record.
import { interleaved, perSecond, type Row, rowOf, type Sample } from './figures.ts'
import { each, type World, wireRequest } from './world.ts'

const rounds = 5
const answers = 2_000
const edits = 480
const connections = 48

const body = {
  title: 'Weekly review of the open questions',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
}

/** An event that one client edits, and its tag. */
type Edited = { path: string; tag: string }

export async function benchConditional(world: World): Promise<Row[]> {
  const { key, create } = await world.makeOrganization()
  const events: Edited[] = []
  while (events.length < connections) {
    const { id } = await create('/v1/calendars', { name: `Calendar ${events.length}`, timezone: 'UTC' })
    const path = `/v1/events/${(await create(`/v1/calendars/${id}/events`, body)).id}`
    events.push({ path, tag: await tagOf(world, key, path) })
  }
  const edited = await interleaved(rounds, {
    ours: () => editAll(world, key, events, true),
    baseline: () => editAll(world, key, events, false),
  })
  for (const event of events) event.tag = await tagOf(world, key, event.path)
  const read = (requests: readonly string[], status: number) => async () => {
    const order = { port: world.apiPort, connections, requests, status, until: { answers } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const tagged = events.map(({ path, tag }) => wireRequest('GET', path, { key, headers: { 'if-none-match': tag } }))
  const figures = await interleaved(rounds, {
    ours: read(tagged, 304),
    baseline: read(
      events.map(({ path }) => wireRequest('GET', path, { key })),
      200,
    ),
  })
  const facts = { bench: 'conditional', target: { atLeast: 0.98 } }
  return [
    rowOf({ ...facts, name: 'PATCH event with If-Match ÷ without' }, edited, perSecond),
    rowOf({ ...facts, name: 'GET event with If-None-Match, 304 ÷ without' }, figures, perSecond),
  ]
}

async function tagOf({ baseUrls }: World, key: string, path: string): Promise<string> {
  const answer = await fetch(baseUrls[0] + path, { headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  return answer.headers.get('etag')!
}

/** Each client edits its event again and again. The tag changes with each edit, so both sides take it from the answer. */
async function editAll(world: World, key: string, events: readonly Edited[], isTagged: boolean): Promise<Sample> {
  const pid = world.apiPid()
  const [before, startedMs] = [world.cpuMs(pid), performance.now()]
  let asked = 0
  const client = async (event: Edited) => {
    while (asked < edits) {
      const nth = asked++
      const answer = await fetch(world.baseUrls[0] + event.path, {
        method: 'PATCH',
        headers: {
          ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(isTagged && { 'if-match': event.tag }),
        },
        body: JSON.stringify({ description: `What is still open, ${nth}` }),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      event.tag = answer.headers.get('etag')!
    }
  }
  await Promise.all(events.map(client))
  const seconds = (performance.now() - startedMs) / 1_000
  return { figure: edits / seconds, cpuMs: each(before, world.cpuMs(pid), edits) }
}
