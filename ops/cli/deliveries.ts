// Commands about single deliveries, and about timers that should have fired.
import { overdueTimers } from '../../src/timers/due.ts'
import { inspectDelivery } from '../../src/webhooks/inspect.ts'
import { resendAnyDelivery } from '../../src/webhooks/resend.ts'
import { type Command, numberOption, requestOf, requireWord } from './command.ts'
import { duration, record, table } from './text.ts'

export const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries show',
    words: '<whd_…>',
    what: 'Shows a delivery, its webhook, how its last attempt ended, and what it waits for.',
    options: { payload: { what: 'with its payload, which may be confidential' } },
    async run({ app }, given) {
      const { payload, ...delivery } = await inspectDelivery(app, requireWord(given, 0, 'delivery'))
      const shown = given.options.payload ? { ...delivery, payload } : delivery
      const body = given.options.payload ? `\n\n${JSON.stringify(payload, null, 2)}` : ''
      return { json: shown, text: record(delivery) + body }
    },
  },
  {
    name: 'deliveries send',
    words: '<whd_…>',
    what: 'Sends a delivery again, with any status: the same body and id, with a new signature.',
    more: 'A delivery that has ended gets one attempt more. The receiver recognises a repetition by X-Delivery-Id.',
    async run(tools, given) {
      const id = requireWord(given, 0, 'delivery')
      await resendAnyDelivery(tools.app, requestOf(tools, 'deliveries send'), id)
      const { payload: _, ...delivery } = await inspectDelivery(tools.app, id)
      return { json: delivery, text: record(delivery) }
    },
  },
  {
    name: 'timers overdue',
    what: 'Lists the timers that should have fired by now, the longest overdue first.',
    options: { limit: { what: 'at most this many (20)', takes: 'n' } },
    async run({ app }, given) {
      const list = await overdueTimers(app, numberOption(given, 'limit', 20, 10_000))
      const rows = list.data.map((timer) => [
        duration(timer.overdue_seconds),
        timer.kind,
        timer.subject_id,
        timer.calendar_id,
        timer.org_id,
      ])
      const titles = ['overdue', 'kind', 'subject', 'calendar', 'organization']
      return { json: list, text: `${table(titles, rows)}\n${list.total} in all` }
    },
  },
]
