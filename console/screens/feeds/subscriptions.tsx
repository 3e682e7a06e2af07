import { useRef, useState } from 'react'
import type { Calendar, IcalSubscription } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { ShowNew } from '../../parts/showNew.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { alarm, notify } from '../../state/notices.ts'
import { removeWithUndo } from '../../state/undo.ts'
import { texts } from '../../texts.ts'
import { EditSubscription } from './editSubscription.tsx'
import { NewSubscription } from './newSubscription.tsx'

type Props = {
  calendars: readonly Calendar[]
  /** Whether these are all calendars. */
  isWhole: boolean
}

export function Subscriptions({ calendars, isWhole }: Props) {
  const filters = useFilters()
  const { offset } = filters
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useRead(['list', 'ical_subscription', { offset }], (options) =>
    service.icalSubscriptions.listAll({ ...options, offset, limit: pageSize }),
  )
  const [edited, setEdited] = useState<IcalSubscription>()
  const nameOfCalendar = (id: string) => calendars.find((calendar) => calendar.id === id)?.name ?? id
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.subscriptions}</h2>
        <div className="actions">
          <ShowNew noun="ical_subscription" />
          <DialogButton ref={button} label={texts.newSubscription}>
            {(close) => <NewSubscription {...{ calendars, isWhole, close }} />}
          </DialogButton>
        </div>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.subscriptions}
            rows={data.data}
            idOf={({ id }) => id}
            nameOf={nameOf}
            columns={[
              { head: texts.label, cell: nameOf },
              {
                head: texts.calendar,
                cell: ({ calendar_id }) => <A to={`/calendars/${calendar_id}`}>{nameOfCalendar(calendar_id)}</A>,
              },
              { head: texts.status, cell: ({ status }) => <State of={status} /> },
              {
                head: texts.lastRead,
                cell: ({ last_synced_at }) => (last_synced_at ? <Moment at={last_synced_at} /> : texts.never),
                isMinor: true,
              },
              { head: texts.problem, cell: ({ last_error }) => last_error, isMinor: true },
            ]}
            actions={(subscription) => [
              { label: texts.readNow, run: () => readNow(subscription.id) },
              { label: texts.edit, run: () => setEdited(subscription) },
              { label: texts.removeFeed, run: () => remove(subscription.id), isDangerous: true },
            ]}
            empty={<Empty things={texts.subscriptions} hint={texts.hints.subscriptions} button={button} />}
          />
          <Pages page={data} filters={filters} />
        </>
      )}
      {edited && (
        <Dialog title={texts.edit} close={() => setEdited(undefined)}>
          <EditSubscription subscription={edited} close={() => setEdited(undefined)} />
        </Dialog>
      )}
    </section>
  )
}

const nameOf = ({ label, url }: IcalSubscription): string => label || url

async function readNow(id: string): Promise<void> {
  try {
    await service.icalSubscriptions.sync(id)
    notify(texts.beingRead)
  } catch (error) {
    alarm(error)
  }
}

const remove = (id: string) =>
  removeWithUndo(id, texts.subscription, async () => {
    await service.icalSubscriptions.delete(id)
    await forget('ical_subscription', id)
  })
