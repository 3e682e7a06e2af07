// The words of the command line. A word that is not understood ends the program with exit code 2 before anything starts.
import { parseWords, refuse } from '../world/words.ts'
import type { ClusterFault } from './fault.ts'
import { faults } from './faults.ts'

const ways = ['haproxy', 'pgbouncer', 'hosts'] as const
export type Way = (typeof ways)[number]

type Words = { chosen: readonly ClusterFault[]; way: Way; rate: number; isPatient: boolean }

const width = Math.max(...faults.map(({ name }) => name.length))
const names = faults.map(({ name, what }) => `  ${name.padEnd(width)} ${what}`).join('\n')

const help = `npm run trial -- failover [fault …]

  Three Patroni nodes lose their primary, their standbys or their network under load: all faults, or the ones you name.
  Exit code 1 when anything is wrong, 2 when the trial cannot run here: it needs root, debootstrap and a Debian mirror.

${names}

  --way <name>     how the service reaches the primary: ${ways.join(', ')} (haproxy)
  --rate <number>  stories that begin each second (6)
  --patient        longer leases, for a busy machine: ttl 30 instead of 20`

export function readWords(args: string[]): Words {
  const { values, positionals } = parsed(args)
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  const unknown = positionals.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0) refuse(`there is no fault ${unknown.join(', ')}. There are:\n${names}`)
  const way = ways.find((one) => one === values.way)
  if (!way) refuse(`--way ${values.way}: expected ${ways.join(', ')}`)
  const rate = Number(values.rate)
  if (!(rate > 0)) refuse(`--rate ${values.rate}: expected a number above 0`)
  const chosen = faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  return { chosen, way, rate, isPatient: values.patient }
}

function parsed(args: string[]) {
  return parseWords({
    args,
    allowPositionals: true,
    options: {
      way: { type: 'string', default: 'haproxy' },
      rate: { type: 'string', default: '6' },
      patient: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
}
