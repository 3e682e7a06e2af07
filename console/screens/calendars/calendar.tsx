import { useNavigate, useParams } from '@tanstack/react-router'
import type { FullAnswer, Calendar as Record } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Edit } from '../../parts/edit.tsx'
import { Input, PickerField } from '../../parts/fields.tsx'
import { metadataOf, metadataText } from '../../parts/metadata.ts'
import { MetadataField, More } from '../../parts/more.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Unread } from '../../parts/unread.tsx'
import { zones } from '../../parts/zones.ts'
import { acted, forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { Feed } from './feed.tsx'
import { minutesOf, minutesText } from './minutes.ts'
import { Publishing } from './publishing.tsx'
import { Rules } from './rules.tsx'

const readCalendar = (id: string) => service.calendars.get(id).full()

export function Calendar() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useRead(['one', 'calendar', id], () => readCalendar(id))
  if (!data) return <Unread error={error} again={refetch} />
  const { name, agentId, timezone, ical_url } = data.data
  return (
    <Screen heading={name}>
      {agentId && (
        <p>
          <A to={`/agents/${agentId}`}>{texts.itsAgent}</A>
        </p>
      )}
      <section aria-labelledby="details" className="part">
        <h2 id="details">{texts.details}</h2>
        <Details record={data} />
      </section>
      <section aria-labelledby="rules" className="part">
        <h2 id="rules">{texts.rules}</h2>
        <Rules id={id} timezone={timezone} />
      </section>
      <section aria-labelledby="feed" className="part">
        <h2 id="feed">{texts.feed}</h2>
        <Feed id={id} name={name} address={ical_url} />
      </section>
      <section aria-labelledby="publishing" className="part">
        <h2 id="publishing">{texts.publishing}</h2>
        <Publishing id={id} />
      </section>
    </Screen>
  )
}

function Details({ record }: { record: FullAnswer<Record> }) {
  const { id, name, agentId } = record.data
  return (
    <div className="card">
      <Edit
        name={`calendar:${id}`}
        record={record}
        valuesOf={({ name, agent_status, default_reminders, timezone, metadata }: Record) => ({
          ...{ name, agent_status, timezone },
          default_reminders: minutesText(default_reminders),
          metadata: metadataText(metadata),
        })}
        labels={{
          name: texts.name,
          agent_status: texts.status,
          timezone: texts.timezone,
          default_reminders: texts.defaultReminders,
          metadata: texts.metadata,
        }}
        update={({ default_reminders, metadata, ...rest }, options) =>
          service.calendars.update(
            id,
            {
              ...rest,
              ...(default_reminders !== undefined && { default_reminders: minutesOf(default_reminders) }),
              ...(metadata !== undefined && { metadata: metadataOf(metadata) }),
            },
            options,
          )
        }
        readAgain={() => readCalendar(id)}
        done={async () => {
          await acted('calendar')
          notify(texts.saved(texts.calendar))
        }}
        actions={
          <DialogButton label={texts.deleteCalendar} className="quiet dangerous" alert>
            {(close) => <DeleteCalendar id={id} name={name} agentId={agentId} close={close} />}
          </DialogButton>
        }
      >
        <Input name="name" label={texts.name} />
        <Input name="agent_status" label={texts.status} />
        <Input name="default_reminders" label={texts.defaultReminders} hint={texts.remindersHint} />
        <PickerField name="timezone" label={texts.timezone} options={zones} />
        <More>
          <MetadataField />
        </More>
      </Edit>
    </div>
  )
}

type DeleteProps = { id: string; name: string; agentId: string | null; close: () => void }

function DeleteCalendar({ id, name, agentId, close }: DeleteProps) {
  const navigate = useNavigate()
  const act = useAct<void, unknown>(
    (_, sent) => service.calendars.delete(id, sent),
    async () => {
      notify(texts.deleted(texts.calendar))
      forget('calendar', id)
      await navigate({ to: agentId ? `/agents/${agentId}` : '/agents' })
    },
  )
  return (
    <Confirm label={texts.deleteCalendar} typed={name} act={act} close={close}>
      <p>{texts.deleteCalendarHint}</p>
    </Confirm>
  )
}
