// Structured logs, one JSON line each. Secrets never get here: callers log ids, not bodies.
import { type Logger, pino } from 'pino'
import { traceIds } from './telemetry.ts'

export type Log = Logger

export const openLog = (level: string, process: string): Log =>
  pino({ level, base: { process }, mixin: traceIds, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message' })
