// `npm run ops -- <command>`: the operator's tools. They read the environment of the service and use its own code.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type App, closeApp, openApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { databaseTrouble, redisTrouble } from '../storeTrouble.ts'
import { type Command, type Given, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { help, helpOf, helpOfGroup } from './help.ts'

const redisWithinMs = 3_000
const statementDeadlineMs = 120_000

/** The command with the longest name that the command line begins with. */
const findCommand = (words: readonly string[]): Command | undefined =>
  commands
    .filter(({ name }) => name.split(' ').every((part, nth) => words[nth] === part))
    .toSorted((a, b) => b.name.length - a.name.length)[0]

function parseOptions(command: Command, args: readonly string[]): Given & { isJson: boolean; isHelp: boolean } {
  const known = Object.entries(command.options ?? {}).map(
    ([name, { takes, many }]) =>
      [name, { type: takes ? ('string' as const) : ('boolean' as const), multiple: many === true }] as const,
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...Object.fromEntries(known), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    const words = positionals.slice(command.name.split(' ').length)
    const maxWords = command.words?.split(' ').length ?? 0
    if (words.length > maxWords) throw new UsageError(`unexpected argument: ${words[maxWords]}`)
    return { words, options: values as Given['options'], isJson: values.json === true, isHelp: values.help === true }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

/** Without DATABASE_URL, the environment of the running `npm start`: it keeps all of it in a file in DATA_DIR. */
function readEnvironment(): Config {
  if (!process.env.DATABASE_URL) {
    const dataDir = process.env.DATA_DIR || '.data'
    const file = join(dataDir, 'environment')
    if (!existsSync(file)) throw new Error(nothingRuns(dataDir))
    process.loadEnvFile(file)
  }
  return readConfig(process.env)
}

const nothingRuns = (dataDir: string) =>
  `No service uses the data in ${dataDir}. Start it, set DATA_DIR if it uses another folder, or set DATABASE_URL.`

async function requireRedis({ redis, config }: App) {
  const until = performance.now() + redisWithinMs
  while (redis.status !== 'ready') {
    if (performance.now() > until) throw new Error(redisTrouble(config.redisUrl))
    await pause(20)
  }
}

async function runCommand(command: Command, given: Given, config: Config, isJson: boolean): Promise<number> {
  const app = openApp({ ...config, logLevel: 'silent' }, { name: 'ops', connections: 4, statementDeadlineMs })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    if (command.needsRedis) await requireRedis(app)
    const tools = { app, progress: (line: string) => console.error(line), stopped: stop.signal }
    const { json, text, isWrong } = await command.run(tools, given)
    console.log(isJson ? JSON.stringify(json, null, 2) : text)
    return isWrong || stop.signal.aborted ? 1 : 0
  } finally {
    await closeApp(app)
  }
}

const explain = (error: unknown): string =>
  databaseTrouble(process.env.DATABASE_URL ?? '', error) ?? (error as Error).message

/** No command was named, or only the first word of some. */
function explainCommands(words: readonly string[], args: readonly string[]): number {
  const group = words.length === 1 ? helpOfGroup(words[0]!) : undefined
  const isAsked = args.some((word) => ['--help', '-h'].includes(word)) && (words.length === 0 || group !== undefined)
  const unknown = words.length > 0 && !group ? `agent-calendar: there is no command ${words.join(' ')}\n\n` : ''
  const text = `${unknown}${group ?? help()}`
  if (isAsked) console.log(text)
  else console.error(text)
  return isAsked ? 0 : 2
}

async function main(args: readonly string[]): Promise<number> {
  const words = args.filter((word) => !word.startsWith('-'))
  const command = findCommand(words)
  if (!command) return explainCommands(words, args)
  try {
    const given = parseOptions(command, args)
    if (given.isHelp) {
      console.log(helpOf(command))
      return 0
    }
    return await runCommand(command, given, readEnvironment(), given.isJson)
  } catch (error) {
    console.error(`agent-calendar: ${explain(error)}`)
    if (!(error instanceof UsageError)) return 1
    console.error(`\n${helpOf(command)}`)
    return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
