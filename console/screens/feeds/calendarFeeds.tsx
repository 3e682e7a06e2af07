import type { Calendar } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { CopyButton } from '../../parts/copyButton.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { texts } from '../../texts.ts'

type Props = { calendars: readonly Calendar[] | undefined; error: unknown; again: () => unknown }

/** The addresses from which other programs read calendars. They are not shown: everybody who has one can read. */
export const CalendarFeeds = ({ calendars, error, again }: Props) => (
  <section className="part">
    <h2>{texts.calendarFeeds}</h2>
    {error ? <Refused error={error} again={again} /> : null}
    {calendars && (
      <Table
        label={texts.calendarFeeds}
        rows={calendars}
        idOf={({ id }) => id}
        columns={[
          { head: texts.calendar, cell: ({ id, name }) => <A to={`/calendars/${id}`}>{name}</A> },
          { head: texts.timezone, cell: ({ timezone }) => timezone, isMinor: true },
          {
            head: texts.feed,
            cell: ({ ical_url }) => <CopyButton text={ical_url} label={texts.copyFeedAddress} />,
          },
        ]}
        empty={<Empty things={texts.calendarFeeds} hint={texts.hints.calendarFeeds} />}
      />
    )}
  </section>
)
