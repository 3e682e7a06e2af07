// The meaning of careless calendars, one case a line, and the messages about the rest.
import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ImportedEvent, ParseOptions } from './feedParser.ts'
import { parseCalendar } from './parseCalendar.ts'

const options: ParseOptions = {
  zone: 'Europe/Berlin',
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2027-01-02T00:00:00Z'),
}
const owner = { addresses: [], maxInstances: 1_000 }

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT']
const read = (text: string | Buffer, more: Partial<ParseOptions> = {}) => {
  const reading = parseCalendar(Buffer.from(text as string), { ...options, ...more })
  return reading.kind === 'parsed' ? reading : assert.fail(reading.reason)
}
const isUnreadable = (text: string | Buffer, more: Partial<ParseOptions> = {}) =>
  parseCalendar(Buffer.from(text as string), { ...options, ...more }).kind === 'unreadable'

const short = (at: Date) => at.toISOString().replace(':00.000Z', 'Z')
const shown = ({ start, end, allDay }: ImportedEvent) => `${short(start)}/${short(end)}${allDay ? ' all day' : ''}`
const times = (lines: string[], more: Partial<ParseOptions> = {}) =>
  read(calendar(...event(...lines)), more)
    .events.map(shown)
    .sort()
const starts = (lines: string[], more: Partial<ParseOptions> = {}) =>
  read(calendar(...event(...lines)), more)
    .events.map(({ start }) => short(start))
    .sort()

describe('a calendar is whole from its beginning to its end (RFC 5545, 3.4)', () => {
  const whole = calendar(...event('DTSTART:20260302T090000Z'))
  for (const [what, text] of [
    ['cut before its end', whole.slice(0, whole.indexOf('END:VCALENDAR'))],
    ['cut in its last line', whole.slice(0, -5)],
    ['cut in an event', whole.slice(0, whole.indexOf('END:VEVENT'))],
    ['cut in a line of an event', whole.slice(0, whole.indexOf('0000Z'))],
    ['another that begins before its end', whole.replace('END:VCALENDAR\r\n', '') + whole],
    ['a second one that is cut', whole + whole.slice(0, -5)],
    ['nothing', ''],
    ['a page of HTML', '<!doctype html><title>BEGIN:VCALENDAR</title>'],
  ] as const) {
    test(`${what}: unreadable`, () => assert.ok(isUnreadable(text)))
  }

  test('two calendars, and text around them, are read', () => {
    const { events, unread } = read(`<br>\r\n${whole}${whole.replace('UID:a', 'UID:b')}<!-- 0.2 s -->\r\n`)
    assert.deepEqual([events.map(({ uid }) => uid), unread], [['a', 'b'], {}])
  })

  test('an event that is never ended, or outside a calendar, is counted and lost', () => {
    const open = event('DTSTART:20260302T090000Z').slice(0, -1)
    assert.deepEqual(read(calendar(...open)).lost, ['a'])
    const { events, unread, lost } = read(whole + event('DTSTART:20260302T090000Z').join('\r\n'))
    assert.deepEqual([events.length, unread, lost], [1, { structure: 1 }, [null]])
  })

  test('parts that end in the wrong order belong to their event', () => {
    const { events, unread } = read(
      calendar(...event('DTSTART:20260302T090000Z', 'BEGIN:VALARM').slice(0, -1), 'END:VEVENT', 'END:VALARM'),
    )
    assert.deepEqual([events.length, unread], [1, {}])
  })
})

describe('the character set', () => {
  const titled = (bytes: Buffer | string, charset?: string) =>
    read(Buffer.from(bytes as string), { charset }).events[0]?.title
  const text = calendar(...event('DTSTART:20260302T090000Z', 'SUMMARY:Święto'))
  const iso2 = Buffer.from(text.replace('Ś', '\xa6').replace('ę', '\xea'), 'latin1')
  for (const [what, bytes, charset] of [
    ['that is named counts', iso2, 'iso-8859-2'],
    ['by another of its names', iso2, 'latin2'],
    ['of a byte order mark goes before', Buffer.from(`\ufeff${text}`), 'iso-8859-2'],
    ['of a byte order mark of UTF-16, too', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-8'],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'utf-16'],
    ['of two bytes, the greater one first', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
    ['is UTF-8 otherwise', Buffer.from(text), undefined],
    ['UTF-8 by another of its names', Buffer.from(text), 'utf8'],
  ] as const) {
    test(what, () => assert.equal(titled(bytes, charset), 'Święto'))
  }

  test('that is not known makes a feed unreadable', () => {
    for (const charset of ['x-none', 'utf-7', 'utf8mb4']) assert.ok(isUnreadable(text, { charset }), charset)
  })

  test('characters that a fold cuts in two are joined', () => {
    const bytes = Buffer.from([0x93, 0x0d, 0x0a, 0x20, 0xfa, 0x96, 0x7b])
    const folded = Buffer.concat([
      Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260302T090000Z\r\nSUMMARY:'),
      ...[bytes, Buffer.from('\r\nEND:VEVENT\r\nEND:VCALENDAR')],
    ])
    assert.equal(titled(folded, 'shift_jis'), '日本')
  })
})

describe('whole days of Exchange', () => {
  const whole = 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'
  for (const [what, zone, lines, expected] of [
    [
      'UTC, east',
      'Europe/Berlin',
      ['DTSTART:20260302T230000Z', 'DTEND:20260303T230000Z'],
      '2026-03-02T23:00Z/2026-03-03T23:00Z',
    ],
    [
      'UTC, west',
      'America/New_York',
      ['DTSTART:20260302T050000Z', 'DTEND:20260303T050000Z'],
      '2026-03-02T05:00Z/2026-03-03T05:00Z',
    ],
    [
      'UTC, far east',
      'Pacific/Auckland',
      ['DTSTART:20260301T110000Z', 'DTEND:20260302T110000Z'],
      '2026-03-01T11:00Z/2026-03-02T11:00Z',
    ],
    [
      'a duration',
      'Europe/Berlin',
      ['DTSTART:20260302T230000Z', 'DURATION:PT24H'],
      '2026-03-02T23:00Z/2026-03-03T23:00Z',
    ],
    ['no end', 'Europe/Berlin', ['DTSTART:20260302T230000Z'], '2026-03-02T23:00Z/2026-03-03T23:00Z'],
    [
      'two days that end at 23:59:59',
      'Europe/Berlin',
      ['DTSTART:20260302T230000Z', 'DTEND:20260304T225959Z'],
      '2026-03-02T23:00Z/2026-03-04T23:00Z',
    ],
    [
      'a zone',
      'America/New_York',
      ['DTSTART;TZID=Europe/Berlin:20260303T000000', 'DTEND;TZID=Europe/Berlin:20260304T000000'],
      '2026-03-03T05:00Z/2026-03-04T05:00Z',
    ],
    [
      'no zone',
      'America/New_York',
      ['DTSTART:20260303T000000', 'DTEND:20260304T000000'],
      '2026-03-03T05:00Z/2026-03-04T05:00Z',
    ],
  ] as const) {
    test(what, () => assert.deepEqual(times([whole, ...lines], { zone }), [`${expected} all day`]))
  }

  test('a series keeps to the days of the zone over a change of the clocks, and so do its exceptions', () => {
    const lines = ['DTSTART:20260322T230000Z', 'DTEND:20260323T230000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4']
    assert.deepEqual(starts([whole, ...lines, 'EXDATE:20260405T220000Z']), [
      ...['2026-03-22T23:00Z', '2026-03-29T22:00Z', '2026-04-12T22:00Z'],
    ])
  })
})

describe('exceptions that are written otherwise than the series', () => {
  const inNewYork = ['DTSTART;TZID=America/New_York:20260302T100000', 'RRULE:FREQ=DAILY;COUNT=3']
  const all = ['2026-03-02T15:00Z', '2026-03-03T15:00Z', '2026-03-04T15:00Z']
  const left = [all[0], all[2]]
  for (const [what, lines, expected] of [
    ['no zone beside a zone', [...inNewYork, 'EXDATE:20260303T100000'], left],
    ['a zone that is right', [...inNewYork, 'EXDATE:20260303T150000Z'], left],
    ['UTC beside a zone means what it says', [...inNewYork, 'EXDATE:20260303T100000Z'], all],
    ['no zone beside UTC', ['DTSTART:20260302T150000Z', inNewYork[1]!, 'EXDATE:20260303T150000'], left],
    ['UTC beside no zone', ['DTSTART:20260302T160000', inNewYork[1]!, 'EXDATE:20260303T160000Z'], left],
    [
      'an exact match goes before',
      ['DTSTART;TZID=America/New_York:20260302T100000', 'RRULE:FREQ=HOURLY;COUNT=8', 'EXDATE:20260302T170000'],
      [
        '2026-03-02T15:00Z',
        '2026-03-02T17:00Z',
        '2026-03-02T18:00Z',
        '2026-03-02T19:00Z',
        '2026-03-02T20:00Z',
        '2026-03-02T21:00Z',
        '2026-03-02T22:00Z',
      ],
    ],
  ] as const) {
    test(what, () => assert.deepEqual(starts([...lines]), expected))
  }

  for (const id of ['20260303T100000', '20260303T150000Z']) {
    test(`RECURRENCE-ID:${id} replaces the instance that it means`, () => {
      const moved = event(`RECURRENCE-ID:${id}`, 'DTSTART;TZID=America/New_York:20260303T120000')
      const { events } = read(calendar(...event(...inNewYork), ...moved))
      assert.deepEqual(events.map(({ start }) => short(start)).sort(), [all[0], '2026-03-03T17:00Z', all[2]])
    })
  }
})

test('a day may be written in many ways', () => {
  const day = ['2027-03-04T23:00Z/2027-03-05T23:00Z all day']
  for (const start of [
    ':20270305',
    ':20270305T',
    ':20270305t',
    ';VALUE=DATE:20270305',
    ';VALUE=DATE:20270305T093000',
    ';VALUE=DATE:20270305T000000Z',
    ';VALUE=DATE-TIME:20270305',
    ':2027-03-05',
  ]) {
    assert.deepEqual(times([`DTSTART${start}`]), day, start)
  }
})

describe('texts', () => {
  const titled = (...lines: string[]) => read(calendar(...event('DTSTART:20260302T090000Z', ...lines))).events[0]
  test('in quoted-printable are decoded, over soft breaks and folds', () => {
    assert.equal(
      titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:K=C3=B6ln\\, =', 'DTSTART:1=3D2')?.title,
      'Köln, DTSTART:1=2',
    )
    assert.equal(titled('SUMMARY;CHARSET=ISO-8859-2;ENCODING=quoted-printable:=A6wi=EAto')?.title, 'Święto')
    assert.equal(titled('SUMMARY;ENCODING="QUOTED-PRINTABLE":a=', ' =20b')?.title, 'a b')
    assert.equal(titled('DESCRIPTION;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo = 2')?.description, 'one\ntwo = 2')
    assert.equal(titled('SUMMARY:1=', ' =31')?.title, '1==31')
  })
  test('a status is understood with one L', () => assert.equal(titled('STATUS:Canceled ')?.status, 'cancelled'))
})

describe('rules', () => {
  const monthly = (rule: string) => starts(['DTSTART:20260131T090000Z', `RRULE:${rule}`]).map((at) => at.slice(5, 10))
  for (const [rule, expected] of [
    ['FREQ=MONTHLY;COUNT=3', '01-31 03-31 05-31'],
    ['FREQ=MONTHLY;COUNT=3;UNTIL=;INTERVAL=', '01-31 03-31 05-31'],
    ['RSCALE=;SKIP=;FREQ=MONTHLY;COUNT=3;BYDAY=', '01-31 03-31 05-31'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=3', '01-31 03-31 05-31'],
    ['RSCALE=gregorian;FREQ=MONTHLY;COUNT=3;SKIP=OMIT', '01-31 03-31 05-31'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=4;SKIP=BACKWARD', '01-31 02-28 03-31 04-30'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=4;SKIP=FORWARD', '01-31 03-01 03-31 05-01'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=5;SKIP=FORWARD;BYMONTHDAY=1,31', '01-31 02-01 03-01 03-31 04-01'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;COUNT=4;SKIP=BACKWARD;BYMONTHDAY=30,31', '01-31 02-28 03-30 03-31'],
    ['RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=31;COUNT=3;SKIP=FORWARD', '01-31 03-01 05-01'],
  ] as const) {
    test(rule, () => assert.equal(monthly(rule).join(' '), expected))
  }

  test('29 February is the day before or after it in other years', () => {
    const leap = (skip: string) =>
      starts(['DTSTART:20240229T090000Z', `RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=${skip}`]).map((at) =>
        at.slice(0, 10),
      )
    assert.deepEqual([leap('BACKWARD'), leap('FORWARD'), leap('OMIT')], [['2026-02-28'], ['2026-03-01'], []])
  })

  for (const rule of [
    'RSCALE=HEBREW;FREQ=MONTHLY',
    'RSCALE=CHINESE;FREQ=YEARLY',
    'FREQ=DAILY;SKIP=SIDEWAYS',
    'FREQ=SOMETIMES',
    'FREQ=',
    'FREQ=DAILY;COUNT=x',
  ]) {
    test(`${rule} is not guessed: the first instance alone, and the rest is not known`, () => {
      const text = calendar(...event('DTSTART:20260302T090000Z', 'DURATION:PT1H', `RRULE:${rule}`))
      const { events, unread, lost, knownUntil } = read(text, { owner })
      assert.deepEqual([events.map(shown), unread, lost], [['2026-03-02T09:00Z/2026-03-02T10:00Z'], { rule: 1 }, ['a']])
      assert.equal(knownUntil?.toISOString(), '2026-03-02T10:00:00.000Z')
    })
  }
})

describe('what cannot be read is counted, and never taken for free', () => {
  const always = options.from.toISOString()
  const at9 = 'DTSTART:20260302T090000Z'
  for (const [what, lines, unread, expected, knownUntil] of [
    ['digits of other scripts', ['DTSTART:۲۰۲۶۰۳۰۲T۰۹۰۰۰۰Z'], { start: 1 }, [], always],
    ['no start', ['SUMMARY:x'], { start: 1 }, [], always],
    ['a start that there is not', ['DTSTART:20260230T090000Z'], { start: 1 }, [], always],
    ['a year that there is not', ['DTSTART:00000101T090000Z'], { start: 1 }, [], always],
    ['an offset that there is not', ['DTSTART:20260302T090000+9900'], { start: 1 }, [], always],
    [
      'an end in other digits',
      [at9, 'DTEND:٢٠٢٦٠٣٠٢T١٠٠٠٠٠Z'],
      { end: 1 },
      ['2026-03-02T09:00Z/2026-03-02T09:01Z'],
      '2026-03-02T09:00:00.000Z',
    ],
    [
      'a length that is none',
      [at9, 'DURATION:1 hour'],
      { end: 1 },
      ['2026-03-02T09:00Z/2026-03-02T09:01Z'],
      '2026-03-02T09:00:00.000Z',
    ],
    [
      'an end before the start',
      [at9, 'DTEND:20260302T080000Z'],
      { end: 1 },
      ['2026-03-02T09:00Z/2026-03-02T09:01Z'],
      undefined,
    ],
    ['a length below nothing', [at9, 'DURATION:-PT1H'], { end: 1 }, ['2026-03-02T09:00Z/2026-03-02T09:01Z'], undefined],
    [
      'an end that is no end beside a length',
      [at9, 'DTEND:x', 'DURATION:PT1H'],
      { end: 1 },
      ['2026-03-02T09:00Z/2026-03-02T10:00Z'],
      undefined,
    ],
    ['an extra date', [at9, 'RDATE:soon'], { date: 1 }, ['2026-03-02T09:00Z/2026-03-02T09:01Z'], always],
    ['an exception', [at9, 'EXDATE:soon'], { date: 1 }, ['2026-03-02T09:00Z/2026-03-02T09:01Z'], undefined],
    [
      'the instance that it replaces',
      [at9, 'RECURRENCE-ID:soon'],
      { date: 1 },
      ['2026-03-02T09:00Z/2026-03-02T09:01Z'],
      undefined,
    ],
    ['a rule of exceptions', [at9, 'EXRULE:x'], { rule: 1 }, ['2026-03-02T09:00Z/2026-03-02T09:01Z'], undefined],
    ['of a transparent event: it takes no time', ['TRANSP:TRANSPARENT'], { start: 1 }, [], undefined],
    [
      'of a cancelled event: it takes no time',
      [at9, 'RRULE:x', 'STATUS:CANCELED'],
      { rule: 1 },
      ['2026-03-02T09:00Z/2026-03-02T09:01Z'],
      undefined,
    ],
  ] as const) {
    test(what, () => {
      const reading = read(calendar(...event(...lines)), { owner })
      assert.deepEqual([reading.events.map(shown), reading.unread], [expected, unread])
      assert.equal(reading.knownUntil?.toISOString(), knownUntil)
    })
  }
})
