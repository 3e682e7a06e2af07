import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readTime } from './readTime.ts'

const read: [text: string, utc: string, zone?: string][] = [
  ['2026-12-01T10:00:00+01:00[Europe/Berlin]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00[Europe/Berlin]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00[Europe/Berlin]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00+01[Europe/Berlin]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00.5+0100[Europe/Berlin]', '2026-12-01T09:00:00.500Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00,123456789[Europe/Berlin]', '2026-12-01T09:00:00.123Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00Z[Europe/Berlin]', '2026-12-01T10:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00[!Europe/Berlin]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00[europe/berlin]', '2026-12-01T09:00:00.000Z', 'europe/berlin'],
  ['2026-12-01T10:00:00-05:00[America/New_York]', '2026-12-01T15:00:00.000Z', 'America/New_York'],
  ['2026-12-01T10:00:00[Etc/GMT+5]', '2026-12-01T15:00:00.000Z', 'Etc/GMT+5'],
  ['2026-12-01T10:00:00+00:00[UTC]', '2026-12-01T10:00:00.000Z', 'UTC'],
  // Each of the two moments of a doubled time, by its offset.
  ['2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25T00:30:00.000Z', 'Europe/Berlin'],
  ['2026-10-25T02:30:00+01:00[Europe/Berlin]', '2026-10-25T01:30:00.000Z', 'Europe/Berlin'],
  // An offset of seconds, in full, left out, and as Temporal writes it.
  ['1971-06-01T10:00:00-00:44:30[Africa/Monrovia]', '1971-06-01T10:44:30.000Z', 'Africa/Monrovia'],
  ['1971-06-01T10:00:00[Africa/Monrovia]', '1971-06-01T10:44:30.000Z', 'Africa/Monrovia'],
  ['1971-06-01T10:00:00-00:45[Africa/Monrovia]', '1971-06-01T10:44:30.000Z', 'Africa/Monrovia'],
  // Annotations that may be passed over, or ask for what is done anyway.
  ['2026-12-01T10:00:00[Europe/Berlin][u-ca=hebrew]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00[Europe/Berlin][!u-ca=iso8601][knort=blargel]', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'],
  ['2026-12-01T10:00:00+01:00[u-ca=gregory]', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T10:00:00+01:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T10:00Z', '2026-12-01T10:00:00.000Z'],
]
for (const [text, utc, zone] of read) {
  test(`${text} is ${utc}`, () => {
    assert.deepEqual(readTime(text), { kind: 'time', at: new Date(utc), zone })
  })
}

const summary = (text: string): [string, readonly string[]] => {
  const answer = readTime(text)
  assert.equal(answer.kind, 'refused', text)
  return answer.kind === 'refused' ? [answer.code, answer.suggestions] : ['', []]
}

const refused: [text: string, code: string, suggestions: string[]][] = [
  // Summer has another offset: the same local time, then the same moment.
  [
    '2026-07-01T10:00:00+01:00[Europe/Berlin]',
    'offset_mismatch',
    ['2026-07-01T10:00:00+02:00[Europe/Berlin]', '2026-07-01T11:00:00+02:00[Europe/Berlin]'],
  ],
  [
    '2026-10-25T02:30:00+00:00[Europe/Berlin]',
    'offset_mismatch',
    [
      '2026-10-25T02:30:00+02:00[Europe/Berlin]',
      '2026-10-25T02:30:00+01:00[Europe/Berlin]',
      '2026-10-25T03:30:00+01:00[Europe/Berlin]',
    ],
  ],
  [
    '2026-03-29T02:30:00+01:00[Europe/Berlin]',
    'offset_mismatch',
    ['2026-03-29T03:30:00+02:00[Europe/Berlin]', '2026-03-29T01:30:00+01:00[Europe/Berlin]'],
  ],
  [
    '1971-06-01T10:00:00-00:44[Africa/Monrovia]',
    'offset_mismatch',
    ['1971-06-01T10:00:00-00:44:30[Africa/Monrovia]', '1971-06-01T09:59:30-00:44:30[Africa/Monrovia]'],
  ],
  [
    '1971-06-01T10:00:00-00:45:00[Africa/Monrovia]',
    'offset_mismatch',
    ['1971-06-01T10:00:00-00:44:30[Africa/Monrovia]', '1971-06-01T10:00:30-00:44:30[Africa/Monrovia]'],
  ],
  [
    '2026-03-29T02:30[Europe/Berlin]',
    'nonexistent_local_time',
    ['2026-03-29T03:30:00+02:00[Europe/Berlin]', '2026-03-29T01:30:00+01:00[Europe/Berlin]'],
  ],
  [
    '2011-12-30T10:00:00.250[Pacific/Apia]',
    'nonexistent_local_time',
    ['2011-12-31T10:00:00.250+14:00[Pacific/Apia]', '2011-12-29T10:00:00.250-10:00[Pacific/Apia]'],
  ],
  [
    '2026-10-25T02:30:00[!Europe/Berlin]',
    'ambiguous_local_time',
    ['2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25T02:30:00+01:00[Europe/Berlin]'],
  ],
]
for (const [text, code, suggestions] of refused) {
  test(`${text} is refused: ${code}`, () => {
    assert.deepEqual(summary(text), [code, suggestions])
    for (const suggestion of suggestions) assert.equal(readTime(suggestion).kind, 'time')
  })
}

test('a doubled hour begins and ends to the second', () => {
  const codeAt = (time: string) => {
    const answer = readTime(`2026-10-25T${time}[Europe/Berlin]`)
    return answer.kind === 'time' ? answer.at.toISOString().slice(11, 19) : answer.code
  }
  assert.deepEqual(['01:59:59', '02:00:00', '02:59:59', '03:00:00'].map(codeAt), [
    '23:59:59',
    'ambiguous_local_time',
    'ambiguous_local_time',
    '02:00:00',
  ])
})

const malformed = [
  '2026-12-01T10:00:00',
  '2026-12-01T10:00:00[]',
  '2026-12-01T10:00:00[Europe/Berlin',
  '2026-12-01T10:00:00Europe/Berlin]',
  '2026-12-01T10:00:00 [Europe/Berlin]',
  '2026-12-01T10:00:00[Europe/Berlin] ',
  '2026-12-01T10:00:00[Europe/Berlin]\n',
  '2026-12-01 10:00:00[Europe/Berlin]',
  '2026-12-01T10[Europe/Berlin]',
  '2026-12-01[Europe/Berlin]',
  '2026-02-30T10:00:00[Europe/Berlin]',
  '2026-12-01T24:00:00[Europe/Berlin]',
  '2026-12-01T10:00:60[Europe/Berlin]',
  '2026-12-01T10:00:00+24:00[Europe/Berlin]',
  '2026-12-01T10:00:00+01:60[Europe/Berlin]',
  '2026-12-01T10:00:00+1[Europe/Berlin]',
  '2026-12-01T10:00:00z[Europe/Berlin]',
  '2026-12-01T10:00:00+01:00:00',
  '2026-12-01T10:00:00[Europe/Atlantis]',
  '2026-12-01T10:00:00[CEST]',
  '2026-12-01T10:00:00+01:00[+01:00]',
  '2026-12-01T10:00:00[Europe/Berlin][Europe/Berlin]',
  '2026-12-01T10:00:00[u-ca=gregory][Europe/Berlin]',
  '2026-12-01T10:00:00[u-ca=gregory]',
  '2026-12-01T10:00:00[!!Europe/Berlin]',
  // Demands that cannot be met, and an experiment.
  '2026-12-01T10:00:00[Europe/Berlin][!u-ca=hebrew]',
  '2026-12-01T10:00:00[Europe/Berlin][!u-ca=gregory][u-ca=hebrew]',
  '2026-12-01T10:00:00[Europe/Berlin][!knort=blargel]',
  '2026-12-01T10:00:00[Europe/Berlin][_foo=bar]',
  '2026-12-01T10:00:00[Europe/Berlin][U-CA=gregory]',
  '2026-12-01T10:00:00[Europe/Berlin][u-ca=]',
  // Beyond the years 0001 to 9999 once it is UTC.
  '9999-12-31T23:59:59[America/New_York]',
  '0001-01-01T00:00:00[Asia/Tokyo]',
  `2026-12-01T10:00:00[Europe/Berlin]${'[a=b]'.repeat(40)}`,
  '',
  '[',
]
for (const text of malformed) {
  test(`${JSON.stringify(text.slice(0, 80))} is no time`, () => {
    assert.deepEqual(summary(text), ['invalid_time_format', []])
  })
}

test('a refusal says why in words', () => {
  const message = (text: string) => {
    const answer = readTime(text)
    return answer.kind === 'refused' ? answer.message : undefined
  }
  assert.deepEqual(
    refused.map(([text]) => message(text)),
    [
      '2026-07-01T10:00:00 in Europe/Berlin has the offset +02:00, not +01:00',
      '2026-10-25T02:30:00 in Europe/Berlin has the offset +02:00 or +01:00, not +00:00',
      '2026-03-29T02:30:00 does not exist in Europe/Berlin: clocks skip it',
      '1971-06-01T10:00:00 in Africa/Monrovia has the offset -00:44:30, not -00:44',
      '1971-06-01T10:00:00 in Africa/Monrovia has the offset -00:44:30, not -00:45:00',
      '2026-03-29T02:30:00 does not exist in Europe/Berlin: clocks skip it',
      '2011-12-30T10:00:00.250 does not exist in Pacific/Apia: clocks skip it',
      '2026-10-25T02:30:00 comes twice in Europe/Berlin: give its offset',
    ],
  )
  assert.equal(message('2026-12-01T10:00[Mars/One]'), 'Mars/One is not an IANA time zone, for example Europe/Berlin')
  assert.equal(message('2026-12-01T10:00Z[!u-ca=hebrew]'), '[!u-ca=hebrew] cannot be honoured: leave it out')
  assert.match(message('2026-12-01T10:00:00 01:00[Europe/Berlin]')!, /write %2B/)
  assert.doesNotMatch(message('2026-12-01T10:00:00 [Europe/Berlin]')!, /%2B/)
})
