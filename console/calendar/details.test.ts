import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { changedDetails, detailsOf, givenDetails, noDetails } from './details.ts'

const conference = { url: 'https://meet.example/1', provider: 'Meet', pin: '12' }
const event = {
  ...{ location: 'Room 1', conference, transparency: 'transparent', visibility: 'private', labels: ['board', 'Q1'] },
  ...{ color: 'tomato', links: [{ url: 'https://example.com/a', title: 'Agenda' }] },
} as EventInstance

test('details come back as they were, and an event without any sends none', () => {
  const values = detailsOf(event)
  assert.deepEqual(givenDetails(values), {
    ...{ location: 'Room 1', conference, transparency: 'transparent', visibility: 'private', labels: ['board', 'Q1'] },
    ...{ color: 'tomato', links: [{ url: 'https://example.com/a', title: 'Agenda' }] },
  })
  assert.deepEqual(givenDetails(detailsOf({} as EventInstance)), {})
  assert.deepEqual(detailsOf({} as EventInstance), noDetails)
})

test('an emptied detail is cleared, and a call is one thing', () => {
  const values = detailsOf(event)
  const send = (changed: Partial<typeof values>) => changedDetails(changed, { ...values, ...changed })
  assert.deepEqual(send({ location: '', labels: ' , ', color: '', links: [] }), {
    ...{ location: null, labels: [], color: null, links: [] },
  })
  assert.deepEqual(send({ conference_pin: '' }), { conference: { url: conference.url, provider: 'Meet' } })
  assert.deepEqual(send({ conference_url: '' }), { conference: null })
})
