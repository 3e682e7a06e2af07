// The help of the operator's tools.
import type { Command } from './command.ts'
import { commands } from './commands.ts'

const program = 'npm run ops --'

export const helpOf = ({ name, words, what, more, options = {} }: Command): string => {
  const lines = [`${program} ${[name, words].filter(Boolean).join(' ')}`, '', `  ${what}`]
  if (more) lines.push(...more.split('\n').map((line) => `  ${line}`))
  const all = { ...options, json: { what: 'the answer as JSON' } as { what: string; takes?: string } }
  lines.push('')
  for (const [option, { what: meaning, takes }] of Object.entries(all)) {
    lines.push(`  ${`--${option}${takes ? ` <${takes}>` : ''}`.padEnd(20)} ${meaning}`)
  }
  return lines.join('\n')
}

const lineOf = ({ name, what }: Command): string => `  ${name.padEnd(18)} ${what}`
const sayMore = `${program} <command> --help says more.`

/** The commands whose first word this is; undefined without any. */
export function helpOfGroup(word: string): string | undefined {
  const group = commands.filter(({ name }) => name.split(' ')[0] === word)
  return group.length > 0 ? [...group.map(lineOf), '', sayMore].join('\n') : undefined
}

export const help = () =>
  [
    `${program} <command>, with the environment of the service (DATABASE_URL, REDIS_URL, ENCRYPTION_KEYS, …)\nor, without DATABASE_URL, for the \`npm start\` that runs here`,
    '',
    ...commands.map(lineOf),
    '',
    `${sayMore} Exit codes: 0 done, 1 it failed or found something wrong, 2 the command line is wrong.`,
  ].join('\n')
