// Running a statement on a connection, within its deadline.
import type { Rows } from './connection.ts'
import type { Leased, Line } from './connections.ts'
import { ForeignAnswer, foreignError, isTimeout, isUnreachable, lateError, markUnconnected } from './failures.ts'
import type { StatementFailure, StatementObserver } from './statements.ts'
import type { Compiled } from './template.ts'

type RunOptions = { deadlineMs: number; observe?: StatementObserver }

/** The statement, which a row that was not asked for ends. */
function guarded(statement: Compiled): Compiled & { check(rows: Rows): Rows } {
  const { isAskedFor, cursor } = statement
  const check = <Some extends readonly unknown[]>(rows: Some): Some => {
    if (isAskedFor && !rows.every(isAskedFor)) throw new ForeignAnswer('an answer to another statement')
    return rows
  }
  return { ...statement, check, cursor: cursor && { ...cursor, each: (rows) => cursor.each(check(rows)) } }
}

const failureOf = (error: unknown): StatementFailure => ({
  reason: isUnreachable(error) ? 'unreachable' : 'refused',
  error,
})

export function runStatement(line: Line, options: RunOptions, name: string, statement: Compiled): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const finish = options.observe?.(name)
    const asked = guarded(statement)
    let connection: Leased | undefined
    let isSettled = false
    const settle = (failure?: StatementFailure) => {
      isSettled = true
      clearTimeout(timer)
      finish?.(failure)
      if (failure) reject(failure.error)
    }
    const waiter = {
      text: asked.text,
      use(leased: Leased) {
        connection = leased
        const answer = leased.run(asked).then(asked.check)
        answer.then(
          (rows) => {
            if (isSettled) return
            leased.giveBack()
            settle()
            resolve(rows)
          },
          (error: unknown) => {
            if (isSettled) return
            if (error instanceof ForeignAnswer) {
              leased.drop('distrusted')
              return settle({ reason: 'foreign', error: foreignError(error) })
            }
            if (error instanceof Error) Object.assign(error, { statement: name })
            if (leased.isSoundAfter(error)) leased.giveBack()
            else leased.drop('broken')
            settle(isTimeout(error) ? { reason: 'deadline', error: lateError(true, error) } : failureOf(error))
          },
        )
      },
      refuse(error: unknown) {
        markUnconnected(error)
        settle(failureOf(error))
      },
    }
    const timer = setTimeout(() => {
      const isUnsent = line.leave(waiter)
      settle({ reason: 'deadline', error: lateError(isUnsent) })
      connection?.drop('deadline')
    }, options.deadlineMs)
    line.take(waiter)
  })
}

/** A connection for longer than one statement. */
export function reserveConnection(line: Line, deadlineMs: number): Promise<Leased> {
  return new Promise((resolve, reject) => {
    const waiter = {
      text: '',
      use(connection: Leased) {
        clearTimeout(timer)
        resolve(connection)
      },
      refuse(error: unknown) {
        clearTimeout(timer)
        reject(error)
      },
    }
    const timer = setTimeout(() => {
      line.leave(waiter)
      reject(lateError(true))
    }, deadlineMs)
    line.take(waiter)
  })
}
