// The words of the command line. A word that is not understood ends the program with exit code 2 before anything is
// started.
import { parseWords, refuse } from '../world/words.ts'

const usual = { agents: '1000000', against: '10000', rounds: '7', places: '10' }
/** From here on an installation has organizations of every kind. */
const minAgents = 10_000

const helpOf = (names: readonly string[]) => `npm run trial -- large [operation …]

  The cost of operations in a large installation, against the same in a small one: all of these, or those that you name.
  ${names.join(', ')}

  --agents <number>   of the large installation (${usual.agents}); each has 20 events
  --against <number>  of the small one (${usual.against})
  --rounds <number>   of each operation (${usual.rounds})
  --places <number>   calendars of each of the four kinds of organization that are worked on (${usual.places})

  Both lie in a folder of TMPDIR, which is removed at the end.`

type Words = { chosen: readonly string[]; agents: number; against: number; rounds: number; placesPerKind: number }

export function readWords(args: string[], names: readonly string[]): Words {
  const { values, positionals } = parsed(args)
  if (values.help) {
    console.log(helpOf(names))
    process.exit(0)
  }
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) refuse(`there is no operation ${unknown.join(', ')}. There are: ${names.join(', ')}`)
  const number = (name: keyof typeof usual, min: number): number => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < min)
      refuse(`--${name} ${values[name]}: expected a whole number from ${min}`)
    return value
  }
  return {
    chosen: names.filter((name) => positionals.length === 0 || positionals.includes(name)),
    agents: number('agents', minAgents),
    against: number('against', minAgents),
    rounds: number('rounds', 1),
    placesPerKind: number('places', 1),
  }
}

function parsed(args: string[]) {
  const number = (name: keyof typeof usual) => ({ type: 'string', default: usual[name] }) as const
  return parseWords({
    args,
    allowPositionals: true,
    options: {
      agents: number('agents'),
      against: number('against'),
      rounds: number('rounds'),
      places: number('places'),
      help: { type: 'boolean', short: 'h' },
    },
  })
}
