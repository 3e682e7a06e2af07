import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { A } from '../../parts/a.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { type Attention, alsoNeedsAttention, needsAttention } from './attention.ts'
import { readChecklist, type Step, steps } from './checklist.ts'

const tickMs = 8_000

const laterMs = 1_000

/** Some time after the first data. */
function useLater(data: unknown): boolean {
  const [isLater, setIsLater] = useState(false)
  const hasData = data !== undefined
  useEffect(() => {
    if (!hasData) return
    const timer = setTimeout(() => setIsLater(true), laterMs)
    return () => clearTimeout(timer)
  }, [hasData])
  return isLater
}

export function Start() {
  // The stream does not tell of keys and deliveries, so the list is read again until it is done.
  const checklist = useRead(['start', 'checklist'], readChecklist, {
    everyMs: (done) => done !== undefined && steps.some(({ id }) => !done[id]) && tickMs,
  })
  const first = useRead(['start', 'attention'], needsAttention)
  const rest = useRead(['start', 'attention', 'rest'], alsoNeedsAttention, { enabled: useLater(first.data) })
  const failed = [first, rest].find(({ error }) => error)
  const isComplete = checklist.data !== undefined && steps.every(({ id }) => checklist.data?.[id])
  return (
    <Screen heading={texts.start}>
      {checklist.error && <Refused error={checklist.error} again={checklist.refetch} />}
      {checklist.data && !isComplete && <Checklist done={checklist.data} />}
      <section aria-label={texts.needsAttention} className="part">
        <h2>{texts.needsAttention}</h2>
        {failed && <Refused error={failed.error} again={failed.refetch} />}
        {first.data && (rest.data || first.data.length > 0) && (
          <Wanting things={[...first.data, ...(rest.data ?? [])]} />
        )}
      </section>
      {checklist.data && isComplete && <Checklist done={checklist.data} isComplete />}
    </Screen>
  )
}

/** Complete, it makes room for what needs attention. */
function Checklist({ done, isComplete }: { done: Record<Step, boolean>; isComplete?: boolean }) {
  return (
    <section className="part">
      <h2 id="checklist">{texts.checklist}</h2>
      <ul className={isComplete ? 'complete' : 'checklist'} aria-labelledby="checklist">
        {steps.map(({ id, label, to }) => (
          <li key={id} className={done[id] ? 'done' : undefined}>
            {id === 'address' && !done.address ? <ProveAddress label={label} /> : <A to={to}>{label}</A>}
            <span className={done[id] ? 'state good' : 'state open'}>{done[id] ? texts.isDone : texts.toDo}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The mailed link proves the address; here another one can be asked for. */
function ProveAddress({ label }: { label: string }) {
  const [answer, setAnswer] = useState('')
  const act = useAct<void, { message: string }>(
    (_, sent) => service.accounts.requestEmailLink(sent),
    ({ message }) => setAnswer(message),
  )
  return (
    <div>
      <Link
        to="."
        onClick={(event) => {
          event.preventDefault()
          act.send()
        }}
      >
        {label}
      </Link>
      <p role="status" className="hint">
        {answer}
      </p>
      {act.error !== undefined && <Refused error={act.error} again={act.again} />}
    </div>
  )
}

const Wanting = ({ things }: { things: readonly Attention[] }) =>
  things.length === 0 ? (
    <p className="muted">{texts.nothingWanting}</p>
  ) : (
    <ul className="checklist">
      {things.map(({ to, search, kind, label, state, shown }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two things may have one name
        <li key={nth}>
          <A to={to} search={search ?? {}}>
            {label}
          </A>
          <span className="kind muted">{kind}</span>
          <State of={state} label={shown} />
        </li>
      ))}
    </ul>
  )
