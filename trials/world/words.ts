// The words that a trial is called with.
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** As `parseArgs`, but a wrong word ends the process with its message and code 2. */
export function parseWords<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0]!)
  }
}

export function refuse(what: string): never {
  console.error(`agent-calendar: ${what}`)
  process.exit(2)
}
