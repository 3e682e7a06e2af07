// The command line: every operation of the API, and the commands of the program itself.
import { Argument, Command, CommanderError, Option } from 'commander'
import { listSignIns, removeSignIn, switchSignIn } from './auth.ts'
import type { CommandSpec, OptionSpec } from './commandSpec.ts'
import { candidates, type OwnCommands, scripts } from './completion.ts'
import { UsageError } from './failures.ts'
import { follow } from './follow.ts'
import { commands, nouns } from './generated/commands.ts'
import { listen } from './listen.ts'
import { login, logout, status } from './login.ts'
import { type Given, runOperation } from './operationCommand.ts'
import { type Global, print } from './output.ts'
import { currentSession, openClient } from './session.ts'
import { allSignIns } from './signIns.ts'

const epilogue = `
Begin with:
  agent-calendar login
  agent-calendar calendars list
  agent-calendar listen --forward-to 4000

Variables: AGENT_CALENDAR_KEY and AGENT_CALENDAR_URL stand before what login has kept.
Times: 2026-12-01T10:00:00Z, 2026-12-01T11:00:00+01:00 or 2026-12-01T11:00[Europe/Berlin].
Exit codes: 0 done, 1 refused, 2 wrong command line, 3 not signed in or not allowed, 4 not found, 5 conflict,
6 limit reached, 7 not reached or failed, 130 interrupted.`

/** Calls `ran` with the command of an operation before it runs, so that an error can name its options. */
export function openProgram(version: string, signal: AbortSignal, ran: (spec: CommandSpec) => void): Command {
  const program = new Command('agent-calendar')
    .description('Calendars for software agents, from a terminal.')
    .version(version, '-V, --version')
    .option('--json', 'print JSON')
    .option('--url <address>', 'where the service is')
    .helpOption('-h, --help', 'show help; it works behind every command')
    .helpCommand(false)
    .addHelpText('after', epilogue)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  addOwn(program, signal)
  const groups = new Map(
    Object.entries(nouns).map(([noun, about]) => [noun, group(program, noun, about, verbsOf(noun))]),
  )
  for (const spec of commands) addOperation(groups.get(spec.noun)!, spec, ran)
  addFollow(groups.get('changes')!, signal)
  return program
}

/** A usage error in the words of commander, without its prefix. */
export const usageErrorOf = (error: unknown): unknown => {
  if (!(error instanceof CommanderError)) return error
  return new UsageError(`${error.message.replace(/^error: /, '')}\nAdd --help to see what it takes.`)
}

/** Help and the version are no errors. */
export const isOver = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0

const verbsOf = (noun: string) =>
  [
    ...commands.filter((one) => one.noun === noun).map(({ verb }) => verb),
    ...(noun === 'changes' ? ['follow'] : []),
  ].join(', ')

const group = (program: Command, noun: string, about: string, verbs: string) =>
  program
    .command(noun)
    .summary(verbs)
    .description(about)
    .helpCommand(false)
    .action((_options: unknown, command: Command) => {
      const [word] = command.args
      throw new UsageError(
        word === undefined
          ? `Which command? agent-calendar ${noun} --help lists them.`
          : `There is no command ${noun} ${word}. agent-calendar ${noun} --help lists them.`,
      )
    })
    .allowExcessArguments(true)

function addOperation(parent: Command, spec: CommandSpec, ran: (spec: CommandSpec) => void): void {
  const command = parent
    .command(spec.verb)
    .summary(decapitalized(spec.summary))
    .description(`${spec.summary}.\n\n${spec.description}`)
    .addHelpText('after', `\nExample:\n  ${spec.example}`)
  for (const { name, description } of spec.words) command.addArgument(new Argument(`<${name}>`, description))
  for (const option of spec.options) if (!option.isSecret) command.addOption(optionOf(option))
  if (spec.hasBody) command.option('--body <json>', 'the whole body: JSON, @file, or - for standard input')
  if (spec.paging !== 'none') command.option('--all', 'every page, not only the first')
  if (spec.keyed) command.option('--idempotency-key <key>', 'repeating the command with it does nothing twice')
  if (spec.ifMatch) command.option('--if-match <tag>', 'only if the record still has this tag')
  command.option('--json', 'print JSON')
  command.action(async () => {
    ran(spec)
    const given = { ...namedAsSent(spec, command.opts()), ...globalOf(command) } as Given
    await runOperation(openClient(currentSession(given.url)), spec, command.args, given)
  })
}

/** Before or after the command. */
const globalOf = (command: Command): Global => {
  const { json, url } = command.optsWithGlobals<Global>()
  return { json, url }
}

/** Commander writes options in camelCase; the API has its own names. */
function namedAsSent(spec: CommandSpec, found: Record<string, unknown>): Record<string, unknown> {
  const renamed = spec.options.map(({ flag, name }) => [name, found[optionName(flag)]])
  return { ...found, ...Object.fromEntries(renamed) }
}

const optionName = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function optionOf({ flag, kind, required, choices, isNullable, isTime, description }: OptionSpec): Option {
  const values: Record<OptionSpec['kind'], string> = {
    ...{ text: '<text>', number: '<number>', boolean: '[true|false]', list: '<a,b>', numbers: '<1,2>', json: '<json>' },
  }
  const notes = [
    ...(required ? ['(required)'] : []),
    ...(description ? [description.replaceAll('\n', ' ')] : []),
    ...(choices && choices.length > 1
      ? [`One of ${choices.length > 8 ? `${choices.slice(0, 8).join(', ')}, …` : choices.join(', ')}.`]
      : []),
    ...(isNullable ? ['null takes it away.'] : []),
  ]
  return new Option(`--${flag} ${isTime ? '<time>' : values[kind]}`, notes.join(' '))
}

const authVerbs = ['list', 'switch', 'remove']
const ofAuth = ([verb, name]: readonly string[]) => {
  if (verb === undefined) return authVerbs
  return verb === 'list' || name !== undefined ? [] : allSignIns().map((one) => one.name)
}
const own: OwnCommands = {
  ...{ login: () => [], logout: () => [], status: () => [], listen: () => [], auth: ofAuth },
  completion: ([shell]) => (shell === undefined ? Object.keys(scripts) : []),
}

function addAuth(parent: Command): void {
  parent
    .command('list')
    .description('List the sign-ins that are kept on this machine. The one in use has a star.')
    .option('--json', 'print JSON')
    .action((_: unknown, command: Command) => listSignIns(globalOf(command)))
  parent
    .command('switch')
    .description('Use another sign-in from now on.')
    .argument('<name>', 'as in agent-calendar auth list')
    .action((name: string) => switchSignIn(name))
  parent
    .command('remove')
    .description('Forget a sign-in; a console session is ended.')
    .argument('<name>', 'as in agent-calendar auth list')
    .action((name: string) => removeSignIn(name))
}

function addOwn(program: Command, signal: AbortSignal): void {
  program
    .command('login')
    .description(
      'Sign in with an API key, or with --email to the console. The program prompts for the secret, or reads it from standard input.',
    )
    .option('--email <address>', 'sign in to the console, for 12 hours')
    .option('--as <name>', 'keep it beside your other sign-ins, under this name (default: default)')
    .option('--allow-http', 'send the key unencrypted to another machine')
    .action((_: unknown, command: Command) => login({ ...command.opts(), ...globalOf(command) }))
  program
    .command('logout')
    .description('Forget the sign-in in use; a console session is ended.')
    .action(() => logout())
  program
    .command('status')
    .description('Show the service and how you are signed in.')
    .option('--json', 'print JSON')
    .action((_: unknown, command: Command) => status(globalOf(command)))
  addAuth(group(program, 'auth', 'The sign-ins that are kept on this machine.', authVerbs.join(', ')))
  addFilters(
    program
      .command('listen')
      .summary('forward what happens to a receiver on this machine, signed like a webhook')
      .description(
        'Forward changes to a receiver on this machine, signed like a webhook delivery.\n\nIt reads the change feed, so it needs no public address and no webhook. After a restart it continues where it was.',
      )
      .requiredOption('--forward-to <address>', 'your receiver: an address, or a port of this machine')
      .option('--from-now', 'leave out what happened since the last time'),
  ).action((_: unknown, command: Command) =>
    listen({ ...command.opts<{ forwardTo: string }>(), ...globalOf(command) }, signal),
  )
  program
    .command('completion')
    .description('Print the completion script of a shell.')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', '\nExample:\n  agent-calendar completion bash >> ~/.bashrc')
    .action((shell: string) => void process.stdout.write(scripts[shell]!))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      const found = candidates(words, commands, own)
      if (found.length > 0) print(found.join('\n'))
    })
}

const addFollow = (parent: Command, signal: AbortSignal) =>
  addFilters(
    parent
      .command('follow')
      .summary('print what happens, as it happens')
      .description('Print what happens, as it happens.')
      .option('--cursor <cursor>', 'go on behind this one, or oldest')
      .option('--payload', 'with all that the change carries'),
  ).action((_: unknown, command: Command) => follow({ ...command.opts(), ...globalOf(command) }, signal))

const addFilters = (command: Command) =>
  command
    .option('--types <a,b>', 'only these types')
    .option('--calendar-ids <a,b>', 'only these calendars')
    .option('--agent-ids <a,b>', 'only these agents')
    .option('--json', 'print one line of JSON for each step')

const decapitalized = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
