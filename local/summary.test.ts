import assert from 'node:assert/strict'
import { test } from 'vitest'
import { summary } from './summary.ts'

const facts = {
  baseUrl: 'http://localhost:3000',
  dataDir: '.data',
  mailTarget: '.data/mail',
  adminToken: 'admin_x',
  demo: undefined,
  metrics: [],
  trustedHosts: [],
}

test('hosts that are trusted beyond the usual are named, where there are any', () => {
  assert.doesNotMatch(summary(facts), /Trusted/)
  const trustedHosts = ['127.0.0.1', 'localhost:4000']
  assert.match(summary({ ...facts, trustedHosts }), /^ {2}Trusted hosts {6}127\.0\.0\.1, localhost:4000$/m)
})
