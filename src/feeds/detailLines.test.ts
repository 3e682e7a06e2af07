import assert from 'node:assert/strict'
import { test } from 'vitest'
import { keptDetails } from '../icalendar/keptDetails.ts'
import { everyDetail } from '../testing/details.ts'
import { detailLines } from './detailLines.ts'

const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
const { transparency: _, visibility: __, ...shown } = everyDetail

test('details are lines of RFC 5545 and RFC 7986, and a private event shows only its class', () => {
  assert.deepEqual(linesOf(detailLines(shown)), [
    'LOCATION:Room 4\\, Invalidenstraße 1\\; Berlin',
    'CATEGORIES:team,Plan\\, B',
    'COLOR:cornflowerblue',
    'CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Meet:https://meet.example.com/abc-defg-hij',
    'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+49%2030%201234567',
    'ATTACH;FMTTYPE=application/pdf;FILENAME="The agenda; draft":https://example.com/agenda.pdf',
    'ATTACH:https://example.com/board',
  ])
  assert.deepEqual(linesOf(detailLines({ ...shown, visibility: 'private' })), ['CLASS:PRIVATE'])
  assert.equal(detailLines({}), '')
})

const read = (...lines: string[]) => {
  const properties = new Map<string, { value: string; parameters: string[] }[]>()
  for (const line of lines) {
    const [head = '', value = ''] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
    const [name = '', ...parameters] = head.split(';')
    properties.set(name, [...(properties.get(name) ?? []), { value, parameters }])
  }
  return keptDetails({ properties })
}

test('a feed is read within the bounds of an event, and what does not fit is left out', () => {
  const { conference, links, ...rest } = shown
  assert.deepEqual(read(...linesOf(detailLines(rest))), rest)
  assert.deepEqual(read('CONFERENCE;LABEL=Meet:https://a.example/1', 'CONFERENCE:tel:+49%2030'), {
    conference: { url: 'https://a.example/1', provider: 'Meet', phone: '+49 30' },
  })
  assert.deepEqual(read('CONFERENCE:sip:a@b', 'URL:http://a.example', 'URL:https://b.example/x'), {
    conference: { url: 'https://b.example/x' },
  })
  assert.deepEqual(read('CLASS:confidential', 'COLOR:TEAL'), { visibility: 'private', color: 'teal' })
  assert.deepEqual(read('CLASS:PUBLIC', 'COLOR:#fff', 'LOCATION:  ', 'CATEGORIES:,', 'ATTACH;VALUE=BINARY:aGk='), {})
  assert.deepEqual(read(`LOCATION:a\\nb${'x'.repeat(2_000)}`).location?.length, 1_000)
  const many = Array.from({ length: 30 }, (_, nth) => `l${nth},l${nth}`).join(',')
  assert.equal(read(`CATEGORIES:${many}`).labels?.length, 20)
  assert.deepEqual(read('ATTACH;FMTTYPE=pdf;FILENAME=a:https://a.example'), {
    links: [{ url: 'https://a.example', title: 'a' }],
  })
  assert.ok(conference && links)
})
