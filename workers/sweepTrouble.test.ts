import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'vitest'
import { openLog } from '../src/observability/log.ts'
import { openSweepTrouble } from './sweepTrouble.ts'

const worked = { status: 'fulfilled', value: 'not' } as const
const failed = (message: string) => ({ status: 'rejected', reason: new Error(message) }) as const

test('the trouble of sweeps is one line when it begins and one when it ends', () => {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      const { level, message, error, sources } = JSON.parse(String(chunk))
      lines.push([level, message, error, sources].filter(Boolean).join(' | '))
      done()
    },
  })
  const note = openSweepTrouble(openLog('info', 'test', to))
  const sweep = (timers: PromiseSettledResult<unknown>, mails: PromiseSettledResult<unknown>) =>
    note([
      { name: 'timers', result: timers },
      { name: 'mails', result: mails },
    ])
  const away = failed('no database')
  const outcomes = [sweep(worked, worked), sweep(away, away), sweep(away, away), sweep(worked, away)]
  outcomes.push(sweep(worked, worked), sweep(worked, failed('no table')))
  assert.deepEqual(outcomes, [false, true, true, true, false, true])
  assert.deepEqual(lines, [
    'warn | a sweep failed, the next one follows | no database | timers,mails',
    'info | sweeps work again | timers',
    'info | sweeps work again | mails',
    'warn | a sweep failed, the next one follows | no table | mails',
  ])
})
