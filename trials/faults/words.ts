// The words of the command line: which faults, and how much load. A word that is not understood ends the program with
// exit code 2 before anything is started.
import { parseWords, refuse } from '../world/words.ts'
import { type Fault, faults } from './faults.ts'

const usualRate = '15'

const width = Math.max(...faults.map(({ name }) => name.length))
const names = faults.map(({ name, what }) => `  ${name.padEnd(width)} ${what}`).join('\n')

const help = `npm run faults -- [fault …]

  The whole service under a steady load while things break, one after another: all of these, or the ones you name.
  Exit code 1 when anything is wrong.

${names}

  --rate <number>  stories that begin each second (${usualRate})
  --mcp            everything is done over MCP; what no tool does is left out`

type Words = { chosen: readonly Fault[]; storiesPerSecond: number; isOverMcp: boolean }

export function readWords(args: string[]): Words {
  const { values, positionals } = parsed(args)
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  const unknown = positionals.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0) refuse(`there is no fault ${unknown.join(', ')}. There are:\n${names}`)
  const storiesPerSecond = Number(values.rate)
  if (!(storiesPerSecond > 0)) refuse(`--rate ${values.rate}: expected a number above 0`)
  return {
    chosen: faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    storiesPerSecond,
    isOverMcp: values.mcp,
  }
}

function parsed(args: string[]) {
  return parseWords({
    args,
    allowPositionals: true,
    options: {
      rate: { type: 'string', default: usualRate },
      mcp: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
}
