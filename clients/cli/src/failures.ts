// Errors for people: the problem, the next step, and the exit code.
import { ApiError, CalendarError, ConnectionError, UnexpectedAnswerError } from '../../typescript/src/entry.ts'
import type { CommandSpec } from './commandSpec.ts'

/** The command line itself is wrong. */
export class UsageError extends Error {}

/** There is no key for this service. */
export class SignInError extends Error {}

export const exitCodes = {
  refused: 1,
  usage: 2,
  signIn: 3,
  notFound: 4,
  conflict: 5,
  limit: 6,
  unreachable: 7,
  interrupted: 130,
} as const

const byStatus: Record<number, number> = {
  401: exitCodes.signIn,
  402: exitCodes.limit,
  403: exitCodes.signIn,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  412: exitCodes.conflict,
  429: exitCodes.limit,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof SignInError) return exitCodes.signIn
  if (error instanceof ApiError)
    return byStatus[error.status] ?? (error.status >= 500 ? exitCodes.unreachable : exitCodes.refused)
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError) return exitCodes.unreachable
  return (error as Error).name === 'AbortError' ? exitCodes.interrupted : exitCodes.refused
}

/** The lines to print; the first one states the problem. */
export function explain(error: unknown, command?: CommandSpec): string[] {
  if (error instanceof ApiError) {
    const flag = command?.options.find(({ name }) => name === error.param?.split('.')[0])?.flag
    return [
      error.message,
      ...(flag ? [`Look at --${flag}.`] : []),
      ...(error.suggestions.length > 0 ? [`Try: ${error.suggestions.join('  or  ')}`] : []),
      ...helpOf(error.details),
      ...nextStep(error, command),
      ...(error.requestId ? [`(${error.type}${error.code ? `, ${error.code}` : ''}, request ${error.requestId})`] : []),
    ]
  }
  if (error instanceof ConnectionError)
    return [error.message, 'Is the service running, and the address right? agent-calendar status shows it.']
  if (error instanceof CalendarError || error instanceof UsageError || error instanceof SignInError)
    return [error.message]
  return [(error as Error).message || String(error)]
}

/** With --explain: the conflicts, and the free times instead. */
function helpOf({ conflict, conflicts = 1, alternatives = [] }: ApiError['details']): string[] {
  const lines: string[] = []
  if (conflict) {
    const { kind, event_id, start_time, end_time } = { event_id: '', start_time: '', end_time: '', ...conflict }
    const named = [kind.replaceAll('_', ' '), event_id, start_time && `${start_time} to ${end_time}`]
    lines.push(`In the way: ${named.filter(Boolean).join(' ')}${conflicts > 1 ? `, and ${conflicts - 1} more` : ''}`)
  }
  if (alternatives.length > 0)
    lines.push('Free instead:', ...alternatives.map(({ start, end }) => `  ${start} to ${end}`))
  return lines
}

function nextStep({ status, type, retryAfterSeconds }: ApiError, command: CommandSpec | undefined): string[] {
  if (status === 401) return ['Sign in again: agent-calendar login']
  if (type === 'plan_required') return ['agent-calendar plans list shows what each plan has.']
  if (type === 'quota_exceeded') return ['agent-calendar usage get shows what is used.']
  if (status === 429 && retryAfterSeconds !== undefined) return [`Try again in ${retryAfterSeconds} s.`]
  if (status === 404 && command && !command.isRead)
    return [`agent-calendar ${command.noun} --help lists what can be looked up.`]
  return []
}
