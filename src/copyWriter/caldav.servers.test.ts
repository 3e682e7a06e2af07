// Events with all their details in calendars of real CalDAV servers: what a client reads there, and what becomes of its edits.
import assert from 'node:assert/strict'
import { everyDetail } from '../testing/details.ts'
import { realCaldavs } from '../testing/providers/realCaldav.ts'
import { publishingTest } from '../testing/publishing.ts'

const test = publishingTest()
const { transparency: _, visibility: __, ...details } = everyDetail

/** A server may write parameters in another order. */
const sorted = (head: string) => {
  const [name = '', ...parameters] = head.match(/(?:"[^"]*"|[^";])+/g) ?? []
  return [name, ...parameters.sort()].join(';')
}

/** The properties of the one event in an object, by the text in front of their value. */
const readObject = (text: string) =>
  Object.fromEntries(
    text
      .replaceAll(/\r?\n[ \t]/g, '')
      .replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE/, '')
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => {
        const [, head = '', value = ''] = /^((?:"[^"]*"|[^":])*):(.*)$/.exec(line)!
        return [sorted(head), value]
      }),
  )

/** Which of them an event without details has. */
const usual = new Set([
  ...['BEGIN', 'END', 'VERSION', 'PRODID', 'UID', 'SEQUENCE', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'STATUS'],
  ...['DTSTART', 'DTEND'],
])
const furtherOf = (properties: Record<string, string>) =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !usual.has(name)))

const shown = {
  SUMMARY: 'Planning',
  DESCRIPTION: 'The agenda',
  LOCATION: 'Room 4\\, Invalidenstraße 1\\; Berlin',
  TRANSP: 'OPAQUE',
  'CONFERENCE;FEATURE=VIDEO;LABEL=Meet;VALUE=URI': 'https://meet.example.com/abc-defg-hij',
  'CONFERENCE;FEATURE=PHONE;VALUE=URI': 'tel:+49%2030%201234567',
  'ATTACH;FILENAME="The agenda; draft";FMTTYPE=application/pdf': 'https://example.com/agenda.pdf',
  ATTACH: 'https://example.com/board',
}

for (const { name, skip, open } of realCaldavs) {
  test(`${name}: a copy carries the details of its event, and they stay ours when a client edits it`, {
    skip,
    timeout: 120_000,
  }, async ({ desk, events, onTestFinished }) => {
    const server = await open()
    onTestFinished(server.close)
    await server.write('MKCALENDAR', `${server.home}team/`)
    const made = await desk.connect({ ...server.login, capabilities: ['availability', 'publishing'] })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const [team] = made.body.calendars.filter(({ name: title }: { name: string }) => /team/i.test(title))
    await desk.ok('PUT', `/v1/calendars/${desk.calendar.id}/external-destination`, { external_calendar_id: team.id })
    const object = async () => {
      await desk.drain()
      const [[file, text] = [], ...others] = await server.objects('team')
      assert.ok(file && text && others.length === 0)
      return { path: `${server.home}team/${file}`, text, further: furtherOf(readObject(text)) }
    }

    const event = await events.create({ description: 'The agenda', ...details })
    const first = await object()
    assert.deepEqual(first.further, shown)

    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n'
    const edited = first.text
      .replace(/LOCATION:.*\r?\n(?: .*\r?\n)*/, 'LOCATION:Elsewhere\r\nCATEGORIES:mine\r\nCOLOR:red\r\n')
      .replace(/ATTACH:.*\r?\n(?: .*\r?\n)*/, 'ATTACH:https://example.com/mine\r\n')
      .replace('END:VEVENT', `${alarm}END:VEVENT`)
    await server.write('PUT', first.path, edited)
    await desk.drain()
    const { body } = await events.ask('GET', `/v1/events/${event.id}`)
    assert.deepEqual([body.location, body.labels, body.color], [details.location, details.labels, details.color])
    await events.change(event.id, { title: 'Review', conference: null })
    const merged = await object()
    const own = readObject(merged.text)
    assert.deepEqual([own.SUMMARY, own.LOCATION], ['Review', shown.LOCATION])
    for (const line of ['CATEGORIES:mine', 'COLOR:red', 'TRIGGER:-PT5M', 'example.com/mine', 'example.com/board'])
      assert.ok(merged.text.includes(line), `${line} in ${merged.text}`)
    assert.doesNotMatch(merged.text, /CONFERENCE|Elsewhere/)

    await events.change(event.id, { visibility: 'private', transparency: 'transparent' })
    const hidden = (await object()).further
    const theirs = { CATEGORIES: 'mine', COLOR: 'red', ACTION: 'DISPLAY', DESCRIPTION: 'x', TRIGGER: '-PT5M' }
    assert.deepEqual(hidden, {
      ...{ SUMMARY: 'Busy', CLASS: 'PRIVATE', TRANSP: 'TRANSPARENT', ATTACH: 'https://example.com/mine' },
      ...theirs,
    })
  })
}
