// The names of statements, and the measurements of each. A statement is named after the function that contains it, so no names
// need to be invented, and there are only as many as places in the code.
import type { Metrics } from '../observability/metrics.ts'
import { startSpan } from '../observability/tracing.ts'
import { isDryRunEnd } from './failures.ts'

const failureReasons = ['deadline', 'unreachable', 'refused', 'foreign'] as const

export type StatementFailure = { reason: (typeof failureReasons)[number]; error: unknown }

/** Called when a statement is sent; the function that it returns is called with the end of it. */
export type StatementObserver = (name: string) => (failure?: StatementFailure) => void

const names = new WeakMap<TemplateStringsArray, string>()

/** `<noun>.<function>`, read off the stack the first time a template runs. `below` is the innermost frame to leave out. */
// biome-ignore lint/complexity/noBannedTypes: whatever function it is
export function statementName(template: TemplateStringsArray, below: Function): string {
  const known = names.get(template)
  if (known) return known
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, below)
  const name = nameFrom(holder.stack ?? '')
  names.set(template, name)
  return name
}

type Frame = { file: string; function: string | undefined }

/** Files that run the statements of others. */
const passedThrough = /\/src\/stores\/ownership\.ts$/

/** A template in a callback is named after the function around it, if that is still on the stack. */
export function nameFrom(stack: string): string {
  const frames = stack.split('\n').map(frameOf)
  const first = frames.find((frame) => frame !== undefined && !passedThrough.test(frame.file))
  if (!first) return 'unknown'
  const named = frames.find((frame) => frame?.file === first.file && frame.function !== undefined)
  const [folder = '', file = ''] = first.file.split('/').slice(-2)
  const place = ['src', 'api', 'workers'].includes(folder) ? file.replace(/\.ts$/, '') : folder
  return named ? `${place}.${named.function}` : place
}

function frameOf(line: string): Frame | undefined {
  const match = /^ +at (?:(?:async |new )?(.+?)(?: \[as .+\])? \()?file:\/\/(.+?):\d+:\d+\)?$/.exec(line)
  if (!match) return undefined
  const name = match[1]?.split('.').at(-1)
  return { file: match[2]!, function: name === '<anonymous>' ? undefined : name }
}

export function observeStatements(metrics: Metrics): StatementObserver {
  for (const reason of failureReasons) metrics.postgresStatementFailures.inc({ reason }, 0)
  return (name) => {
    const span = startSpan(name, { kind: 'client', onlyInside: true, attributes: { 'db.system.name': 'postgresql' } })
    const startedAt = performance.now()
    metrics.postgresStatementsInFlight.inc()
    let isOpen = true
    return (failure) => {
      // A statement that was given up may still be answered.
      if (!isOpen) return
      isOpen = false
      metrics.postgresStatementsInFlight.dec()
      metrics.postgresStatementDuration.observe({ statement: name }, (performance.now() - startedAt) / 1000)
      const isFailure = failure && !isDryRunEnd(failure.error)
      if (isFailure) metrics.postgresStatementFailures.inc({ reason: failure.reason })
      span?.end(isFailure ? failure.error : undefined)
    }
  }
}
