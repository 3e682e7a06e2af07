// POST event as a dry run against the same request itself.
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const answers = 2_000
const connections = 48
const calendarCount = 40

const body = {
  title: 'Weekly review of the open questions',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
}
const edit = { description: 'Open points, and their owners.' }

export async function benchDryRuns(world: World): Promise<Row[]> {
  const { key, create } = await world.makeOrganization()
  const created: string[] = []
  const edited: string[] = []
  for (let nth = 0; nth < calendarCount; nth++) {
    const { id } = await create('/v1/calendars', { name: `Calendar ${nth}`, timezone: 'UTC' })
    created.push(`/v1/calendars/${id}/events`)
    edited.push(`/v1/events/${(await create(`/v1/calendars/${id}/events`, body)).id}`)
  }
  const ask = (status: number, requests: readonly string[]) => async () => {
    const order = { port: world.apiPort, connections, requests, status, until: { answers } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const post = (query: string) => created.map((path) => wireRequest('POST', path + query, { key, body }))
  const patch = (query: string) => edited.map((path) => wireRequest('PATCH', path + query, { key, body: edit }))
  const figures = await interleaved(rounds, {
    create: ask(201, post('')),
    createDry: ask(200, post('?dry_run=true')),
    edit: ask(200, patch('')),
    editDry: ask(200, patch('?dry_run=true')),
  })
  const facts = { bench: 'dryRuns', target: { atLeast: 0.8 } }
  return [
    rowOf(
      { ...facts, name: 'POST event as a dry run ÷ itself' },
      { ours: figures.createDry, baseline: figures.create },
      perSecond,
    ),
    rowOf(
      { ...facts, name: 'PATCH event as a dry run ÷ itself' },
      { ours: figures.editDry, baseline: figures.edit },
      perSecond,
    ),
  ]
}
