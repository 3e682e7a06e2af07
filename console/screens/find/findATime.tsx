import { useState } from 'react'
import type { Availability } from '../../../clients/typescript/src/entry.ts'
import { dateIn } from '../../parts/dates.ts'
import { Input, PickerField, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { optionsOf } from '../../parts/options.ts'
import { Screen } from '../../parts/screen.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { useForm } from '../../parts/useForm.ts'
import { zones } from '../../parts/zones.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { Answer } from './answer.tsx'
import { type Question, queryOf } from './question.ts'

const days = 5

/** One agent alone needs no paid plan. */
function ask(question: Question): PromiseLike<Availability> {
  const { agents } = question
  const query = queryOf(question)
  return agents.length === 1
    ? service.availability.getForAgent(agents[0]!, query)
    : service.availability.get({ ...query, agents })
}

export function FindATime() {
  const { agents, findAgents } = useChoices()
  const { timezone } = settings.get()
  const today = dateIn(new Date(), timezone)
  const form = useForm<Question>('find-a-time', {
    ...{ agents: [], timezone, from: today, to: dateIn(new Date(Date.now() + days * 86_400_000), timezone) },
    ...{ duration: '30m', rank: 'soonest', notBefore: '', notAfter: '' },
  })
  const [answered, setAnswered] = useState<{ question: Question; answer: Availability; nth: number }>()
  const act = useAct(ask, (answer, question) => {
    form.forget()
    setAnswered((before) => ({ question, answer, nth: (before?.nth ?? 0) + 1 }))
  })
  return (
    <Screen heading={texts.find.heading}>
      <div className="card">
        <Form form={form} label={texts.find.question} submit={texts.find.findTimes} least="viewer" act={act}>
          <PickerField name="agents" label={texts.agents} options={agents} find={findAgents} several />
          <PickerField name="timezone" param="tz" label={texts.timezone} options={zones} />
          <div className="row">
            <Input name="from" param="start" label={texts.find.from} type="date" />
            <Input name="to" param="end" label={texts.find.to} type="date" />
          </div>
          <div className="row">
            <Select name="duration" label={texts.find.duration} options={optionsOf(texts.find.durations)} />
            <Select name="rank" label={texts.find.order} options={optionsOf(texts.find.orders)} />
          </div>
          <div className="row">
            <Input name="notBefore" param="prefer" label={texts.find.notBefore} type="time" />
            <Input name="notAfter" param="prefer" label={texts.find.notAfter} type="time" />
          </div>
        </Form>
      </div>
      {answered && <Answer key={answered.nth} {...answered} />}
    </Screen>
  )
}
