import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { z } from 'zod'
import { metadata, queryBoolean, zone } from './fields.ts'
import { isZone } from './zones.ts'

const issueOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]

test('metadata is kept as it was sent, whatever its keys are called', () => {
  const sent = JSON.parse('{"__proto__":{"a":1},"constructor":2,"deep":{"list":[null,true,1.5,"ü"]}}')
  assert.equal(JSON.stringify(metadata.parse(sent)), JSON.stringify(sent))
})

test('metadata is at most 16,384 bytes of JSON, counted in UTF-8', () => {
  const frame = Buffer.byteLength('{"k":""}')
  assert.ok(metadata.safeParse({ k: 'x'.repeat(16_384 - frame) }).success)
  assert.match(issueOf(metadata, { k: 'x'.repeat(16_385 - frame) })!.message, /at most 16,384 bytes/)
  assert.ok(metadata.safeParse({ k: 'ü'.repeat((16_384 - frame) / 2) }).success)
  assert.ok(!metadata.safeParse({ k: 'ü'.repeat((16_384 - frame) / 2 + 1) }).success)
})

for (const value of [null, [], ['a'], 'text', 1, true]) {
  test(`metadata is an object, not ${JSON.stringify(value)}`, () => {
    assert.equal(issueOf(metadata, value)?.message, 'expected an object')
  })
}

const ianaNames = [
  'UTC',
  'Europe/Berlin',
  'America/Argentina/Buenos_Aires',
  'Asia/Calcutta',
  'Etc/GMT+5',
  'US/Eastern',
  'US/Pacific',
  'Canada/Saskatchewan',
  'NZ-CHAT',
  'W-SU',
  'Zulu',
  // Every name of three letters, and those that hold one.
  ...['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'WET'],
  ...['EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT', 'GB', 'NZ'],
]
for (const name of ianaNames) {
  test(`${name} is a zone, kept as it was sent`, () => {
    assert.equal(zone.parse(name), name)
  })
}

test('the words of three letters that are zones are those of IANA', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const zones = words.filter(isZone)
  assert.deepEqual(zones, ianaNames.filter((name) => /^[A-Z]{3}$/.test(name)).sort())
})

for (const name of [
  '',
  '+02:00',
  '-0500',
  'GMT+2',
  'Europe/Atlantis',
  'Berlin',
  'Europe/Berlin ',
  '../UTC',
  'x'.repeat(65),
  'bst',
  'Ist',
  'SystemV/EST5',
  'SystemV/EST5EDT',
  'systemv/hst10',
  'US/Pacific-New',
  'Canada/East-Saskatchewan',
]) {
  test(`${JSON.stringify(name.slice(0, 20))} is no zone`, () => {
    assert.ok(issueOf(zone, name))
  })
}

test('a boolean in a query is true or false and nothing else', () => {
  assert.equal(queryBoolean.parse('true'), true)
  assert.equal(queryBoolean.parse('false'), false)
  for (const text of ['', '1', '0', 'True', 'yes'])
    assert.equal(issueOf(queryBoolean, text)?.message, 'expected true or false')
})
