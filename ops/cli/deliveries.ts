// Single deliveries, and what should have fired.
import { overdueTimers } from '../../src/timers/due.ts'
import { inspectDelivery } from '../../src/webhooks/inspect.ts'
import { resendDelivery } from '../../src/webhooks/resend.ts'
import { type Command, numberOption, requestOf, requireWord } from './command.ts'
import { duration, record, table } from './text.ts'

export const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries show',
    words: '<whd_…>',
    what: 'A delivery, its webhook, how its last attempt ended, and what it waits for.',
    options: { payload: { what: 'with what it tells, which may be confidential' } },
    async run({ app }, given) {
      const { payload, ...delivery } = await inspectDelivery(app, requireWord(given, 0, 'the delivery'))
      const shown = given.options.payload ? { ...delivery, payload } : delivery
      const body = given.options.payload ? `\n\n${JSON.stringify(payload, null, 2)}` : ''
      return { json: shown, text: record(delivery) + body }
    },
  },
  {
    name: 'deliveries send',
    words: '<whd_…>',
    what: 'Sends a delivery again, whatever became of it: the same body under the same id, signed afresh.',
    more: 'One that had used up its attempts gets one more. The receiver tells a repetition by X-Delivery-Id.',
    async run(tools, given) {
      const id = requireWord(given, 0, 'the delivery')
      await resendDelivery(tools.app, requestOf(tools, 'deliveries send'), id)
      const { payload: _, ...delivery } = await inspectDelivery(tools.app, id)
      return { json: delivery, text: record(delivery) }
    },
  },
  {
    name: 'timers overdue',
    what: 'What should have fired by now, the longest overdue first.',
    options: { limit: { what: 'how many at most (20)', takes: 'n' } },
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
