#!/usr/bin/env node
// agent-calendar: the command line of the calendar service.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CommandSpec } from './commandSpec.ts'
import { exitCodeOf, exitCodes, explain } from './failures.ts'
import { say } from './output.ts'
import { isOver, openProgram, usageErrorOf } from './program.ts'

/** The package lies above, whether this was compiled or not. */
function versionOf(): string {
  for (const up of ['../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(fileURLToPath(new URL(up, import.meta.url)), 'utf8'))
      if (name === '@agent-calendar/cli') return version
    } catch {}
  }
  return 'unknown'
}

// A proxy that Node was told to use cannot reach this machine: neither a service on it nor a receiver that `listen` forwards to.
const direct = [process.env.no_proxy ?? process.env.NO_PROXY, 'localhost,127.0.0.1,[::1]'].filter(Boolean).join()
Object.assign(process.env, { no_proxy: direct, NO_PROXY: direct })

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stop.abort(new DOMException('Interrupted.', 'AbortError')))
}
// The reader of the output may stop early: `agent-calendar … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.refused),
)

let ran: CommandSpec | undefined
// Without a word it shows the help.
const line = process.argv.length > 2 ? process.argv : [...process.argv, '--help']
try {
  await openProgram(versionOf(), stop.signal, (spec) => {
    ran = spec
  }).parseAsync(line)
} catch (thrown) {
  if (!isOver(thrown)) {
    const error = usageErrorOf(thrown)
    process.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodeOf(error)
    if (!stop.signal.aborted) {
      const [what, ...more] = explain(error, ran)
      say(`agent-calendar: ${what}`)
      for (const next of more) say(`  ${next}`)
    }
  }
}
