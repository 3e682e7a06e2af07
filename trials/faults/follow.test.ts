import assert from 'node:assert/strict'
import { test } from 'vitest'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { openFindings } from './findings.ts'
import { type Chain, judgeChains } from './follow.ts'
import type { ChangeFact } from './snapshot.ts'

const orgId = 'org_01m8219j2te00rxb8dz8yaenyh'
const at = new Date('2026-12-01T09:00:00Z')
const stored = Array.from(
  { length: 3 },
  (_, nth): ChangeFact => ({
    ...{ orgId, changeId: newId(), position: 0, type: 'event.updated', calendarId: 'one', resourceId: 'thing' },
    revision: nth,
  }),
)
const entries = stored.map(({ changeId, position, type }): Chain['entries'][number] => ({
  ...{ id: `${encodeId('chg', changeId as ReturnType<typeof newId>)}.${position}`, change_id: 'chg', position, type },
  ...{ at: '2026-12-01T08:00:00Z', calendar_id: 'one', resource: { type: 'event', id: 'thing' }, revision: null },
}))

function found(read: Chain['entries'], changes: readonly ChangeFact[] = stored) {
  const findings = openFindings()
  judgeChains([{ orgId, entries: read }], { changes, at }, findings)
  return findings.all.map(({ kind }) => kind)
}

test('a reader that got every change once and in order is right', () => {
  assert.deepEqual(found(entries), [])
})

test('a change that was not read, one that was read twice, and one that is nowhere are found', () => {
  assert.deepEqual(found(entries.slice(1)), ['lost'])
  assert.deepEqual(found([...entries, entries[2]!]), ['twice'])
  assert.deepEqual(found(entries, stored.slice(1)), ['half'])
})

test('a wrong order is found, of the calendar and of the thing', () => {
  assert.deepEqual(found([entries[1]!, entries[0]!, entries[2]!]), ['half', 'half'])
})
