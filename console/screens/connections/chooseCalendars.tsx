import { useEffect } from 'react'
import type { CalendarConnectionDetail } from '../../../clients/typescript/src/entry.ts'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

/** Which calendars of the account count. */
export function ChooseCalendars({ connection: { id, calendars } }: { connection: CalendarConnectionDetail }) {
  const chosen = calendars.filter(({ selected }) => selected).map((one) => one.id)
  const form = useForm<{ ids: readonly string[] }>(`connection:${id}`, { ids: chosen })
  const { ids } = form.values
  const act = useAct(
    ({ ids }: { ids: readonly string[] }, sent) =>
      service.connections.update(id, { selected_external_calendar_ids: [...ids] }, sent),
    async () => {
      form.forget()
      await acted('connection')
      notify(texts.saved(texts.connection_))
    },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice is a reason
  useEffect(() => {
    if (!form.isRestored) form.reset({ ids: chosen })
  }, [chosen.join()])
  return (
    <section className="part card">
      <Form form={form} submit={texts.saveCalendars} least="viewer" act={act}>
        <fieldset className="stack">
          <legend>{texts.calendars}</legend>
          <p className="hint">{texts.chooseHint}</p>
          {calendars.map((one) => (
            <div key={one.id} className="check">
              <input
                id={one.id}
                type="checkbox"
                checked={ids.includes(one.id)}
                aria-describedby={one.availability_readable ? undefined : `${one.id}-why`}
                onChange={(event) =>
                  form.set({ ids: event.target.checked ? [...ids, one.id] : ids.filter((id) => id !== one.id) })
                }
              />
              <label htmlFor={one.id}>{one.name}</label>
              {!one.availability_readable && (
                <span id={`${one.id}-why`} className="hint">
                  {texts.unreadable}
                </span>
              )}
            </div>
          ))}
        </fieldset>
      </Form>
    </section>
  )
}
