// Structured logs, one JSON line each. Secrets never get here: callers log ids and the patterns of routes, never bodies
// or paths (a path may hold a feed's token or a sealed word).
import { type DestinationStream, type Logger, pino } from 'pino'
import { readableLog } from './readableLog.ts'
import { traceIds } from './tracing.ts'

export type Log = Logger

/** Postgres quotes the row that breaks a rule. */
const redact = { paths: ['err.detail'], remove: true }

/** `name`: of the process. Writes to standard output, unless `to` is given. */
export const openLog = (level: string, name: string, to?: DestinationStream): Log =>
  pino(
    {
      level,
      base: { process: name },
      formatters: { level: (level) => ({ level }) },
      mixin: traceIds,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      redact,
    },
    to ?? (process.stdout.isTTY ? readableLog(process.stdout) : undefined),
  )
