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

export const help = () =>
  [
    `${program} <command>, with the environment of the service (DATABASE_URL, REDIS_URL, ENCRYPTION_KEYS, …)\nor, without DATABASE_URL, for the \`npm start\` that runs here`,
    '',
    ...commands.map(({ name, what }) => `  ${name.padEnd(18)} ${what}`),
    '',
    `${program} <command> --help says more. Exit codes: 0 done, 1 it failed or found something wrong, 2 the command line is wrong.`,
  ].join('\n')
