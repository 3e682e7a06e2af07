// Commands that show which keys sealed the stored values, and seal them anew under the first of ENCRYPTION_KEYS. A run
// keeps no state for the next one: the values show what is done.
import { setTimeout as pause } from 'node:timers/promises'
import { sealedApprovals } from '../../src/approvals/sealed.ts'
import { sealedRules } from '../../src/availability/sealed.ts'
import { sealedBookings, sealedPages } from '../../src/bookingPages/sealed.ts'
import { sealedCalendars } from '../../src/calendars/sealed.ts'
import { sealedChanges } from '../../src/changeLog/sealed.ts'
import {
  sealedChannels,
  sealedConnectionKeys,
  sealedConnectionStates,
  sealedConnections,
  sealedEndedConnections,
  sealedExternalCalendars,
  sealedRevocations,
} from '../../src/connections/sealed.ts'
import { sealedEvents } from '../../src/events/sealed.ts'
import { sealedDestinations, sealedPublications } from '../../src/externalCopies/sealed.ts'
import { sealedFactors } from '../../src/factors/sealed.ts'
import { sealedHoldGroups } from '../../src/holdGroups/sealed.ts'
import { sealedSubscriptions } from '../../src/imports/sealed.ts'
import { sealedMails } from '../../src/mails/sealed.ts'
import { sealedProposals } from '../../src/proposals/sealed.ts'
import { keysInUse, resealBlock, type SealedTable } from '../../src/sealing/sealedTable.ts'
import { sealedCodes } from '../../src/signup/sealed.ts'
import { sealedResponses } from '../../src/storedResponses/sealed.ts'
import { sealedDeliveries, sealedWebhooks } from '../../src/webhooks/sealed.ts'
import { type Command, numberOption, type Tools } from './command.ts'
import { table } from './text.ts'

export const sealedTables: readonly SealedTable[] = [
  sealedWebhooks,
  sealedDeliveries,
  sealedApprovals,
  sealedSubscriptions,
  sealedCalendars,
  sealedRules,
  sealedPages,
  sealedBookings,
  sealedConnectionKeys,
  sealedConnections,
  sealedConnectionStates,
  sealedEndedConnections,
  sealedChannels,
  sealedRevocations,
  sealedExternalCalendars,
  sealedDestinations,
  sealedPublications,
  sealedCodes,
  sealedFactors,
  sealedMails,
  sealedProposals,
  sealedHoldGroups,
  sealedEvents,
  sealedChanges,
  sealedResponses,
]

const progressEveryMs = 2_000
const maxUnreadableShown = 20

export const encryptionCommands: readonly Command[] = [
  {
    name: 'keys',
    what: 'Counts the stored values that each key of ENCRYPTION_KEYS sealed. Reads every sealed table.',
    async run({ app }) {
      const uses = (await Promise.all(sealedTables.map((sealed) => keysInUse(app, sealed)))).flat()
      const [current] = app.config.encryptionKeys
      const json = { current: current!.id, values: uses }
      const rows = uses.map((use) => [use.table, use.column, use.key, use.count])
      return {
        json,
        text: `${table(['table', 'column', 'key', 'values'], rows)}\n${current!.id} seals new values`,
      }
    },
  },
  {
    name: 'keys rotate',
    what: 'Seals anew every value that is not sealed by the first of ENCRYPTION_KEYS, while the service runs.',
    more: `Before you run it, put the new key first on every process. Ctrl-C ends it after the current block; the next run
continues. It ends with a count: when no value is left under an old key, that key can go.`,
    options: {
      block: { what: 'rows per block (500)', takes: 'n' },
      pause: { what: 'milliseconds between two blocks (20)', takes: 'ms' },
    },
    async run(tools, given) {
      const size = numberOption(given, 'block', 500, 10_000) || 1
      const pauseMs = numberOption(given, 'pause', 20, 60_000)
      const done = new Map<string, TableOutcome>()
      // A request may write back a value that it read before the value was sealed anew: another round finds it.
      for (let round = 1, tables = sealedTables; round <= maxRounds && tables.length > 0; round++) {
        for (const sealed of tables) {
          if (tools.stopped.aborted) break
          const before = done.get(sealed.name)
          done.set(sealed.name, addRound(before, await resealTable(tools, sealed, { size, pauseMs })))
        }
        const left = new Set((await usesLeft(tools.app)).map((use) => use.table))
        tables = sealedTables.filter(({ name }) => left.has(name) && done.get(name)?.unreadable.length === 0)
      }
      return summary(tools, [...done.values()])
    },
  },
]

type TableOutcome = { table: string; seen: number; resealed: number; unreadable: { context: string; reason: string }[] }

const maxRounds = 3

/** A later round of a table sees the same rows. */
const addRound = (before: TableOutcome | undefined, round: TableOutcome): TableOutcome =>
  before ? { ...round, resealed: before.resealed + round.resealed } : round

/** How many values are sealed by other keys than the first. */
async function usesLeft(app: Tools['app']) {
  const uses = (await Promise.all(sealedTables.map((sealed) => keysInUse(app, sealed)))).flat()
  return uses.filter(({ key }) => key !== app.config.encryptionKeys[0]!.id)
}

async function resealTable(
  { app, progress, stopped }: Tools,
  sealed: SealedTable,
  { size, pauseMs }: { size: number; pauseMs: number },
): Promise<TableOutcome> {
  const outcome: TableOutcome = { table: sealed.name, seen: 0, resealed: 0, unreadable: [] }
  let after: string[] | undefined
  let reportedAt = performance.now()
  const report = () => progress(`${sealed.name}: ${outcome.seen} rows seen, ${outcome.resealed} sealed anew`)
  while (!stopped.aborted) {
    const block = await resealBlock(app, sealed, after, size)
    outcome.seen += block.seen
    outcome.resealed += block.resealed
    outcome.unreadable.push(...block.unreadable)
    after = block.last
    if (!after) break
    if (performance.now() - reportedAt > progressEveryMs) {
      reportedAt = performance.now()
      report()
    }
    if (pauseMs > 0 && block.resealed > 0) await pause(pauseMs)
  }
  report()
  return outcome
}

/** Values that a process without the new key first wrote in the meantime count as left. */
async function summary({ app, stopped }: Tools, done: readonly TableOutcome[]) {
  const [current] = app.config.encryptionKeys
  const left = await usesLeft(app)
  const unreadable = done.flatMap((outcome) => outcome.unreadable)
  const rows = done.map((outcome) => [outcome.table, outcome.seen, outcome.resealed, outcome.unreadable.length])
  const lines = [table(['table', 'rows', 'sealed anew', 'unreadable'], rows)]
  for (const { context, reason } of unreadable.slice(0, maxUnreadableShown)) lines.push(`${context}: ${reason}`)
  for (const use of left) lines.push(`left under ${use.key}: ${use.count} in ${use.table}.${use.column}`)
  if (stopped.aborted) lines.push('stopped; the next run continues')
  else if (left.length === 0) lines.push(`every value is sealed by ${current!.id}; the other keys can go`)
  else if (unreadable.length === 0)
    lines.push('Did a process without the new key first write these while this ran? Run it again.')
  const json = { current: current!.id, stopped: stopped.aborted, tables: done, left }
  return { json, text: lines.join('\n'), isWrong: left.length > 0 }
}
