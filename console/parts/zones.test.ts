import assert from 'node:assert/strict'
import { test } from 'vitest'
import { currentName, zonesWith } from '../../api/pages/zones.ts'
import { zones as zonesOfConsole } from './zones.ts'

test('guests and the console choose among the same zones, under the same names', () => {
  const offered = zonesWith()
  assert.deepEqual(zonesOfConsole.map(({ value }) => value).sort(), offered)
  assert.equal(currentName('Europe/Kiev'), 'Europe/Kyiv')
  assert.ok(offered.includes('Europe/Kyiv') && !offered.includes('Europe/Kiev'))
})
