// A moment that is due in the middle of a second, on the real clock.
import assert from 'node:assert/strict'
import { timerHandlers } from '../../workers/timers.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar } from '../testing/factories.ts'
import { realTimeTest } from '../testing/realTime.ts'

const test = realTimeTest()

test('a wake-up waits for the moments in the middle of its second, by the clock of the database', async ({
  service,
  key,
  real,
}) => {
  const { id } = await makeCalendar(service, key)
  const { fire } = timerHandlers(real.app)
  async function createAndFire() {
    const start = Math.ceil((Date.now() + 300) / 1000) * 1000 + 400
    const times = { start_time: new Date(start).toISOString(), end_time: new Date(start + 60_000).toISOString() }
    const answer = await real.call('POST', `/v1/calendars/${id}/events`, {
      key,
      body: { title: 'x', reminders: [], ...times },
    })
    assert.equal(answer.status, 201)
    const subject = decodeId('evt', answer.body.id)!
    // A second early, as if the database's clock were behind ours.
    await fire({ second: Math.floor(start / 1000) })
    assert.ok(Date.now() >= start)
    const left = await service.app.sql`select kind from timers where subject_id = ${subject}`
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['event_end'],
    )
  }
  await Promise.all([createAndFire(), createAndFire(), createAndFire()])
})
