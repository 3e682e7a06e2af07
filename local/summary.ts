import { relative } from 'node:path'
import type { Demo } from './demo.ts'

type SummaryFacts = {
  baseUrl: string
  dataDir: string
  mailTarget: string
  adminToken: string
  demo: Demo | undefined
  /** Undefined where other machines may reach the service. */
  signInLink?: string | undefined
  metrics: readonly { name: string; url: string }[]
  trustedHosts: readonly string[]
  /** Set when Postgres keeps its files outside of `dataDir`. */
  postgresDirectory?: string
}

/** The first facts for a person, and a line to paste. */
export function summary(facts: SummaryFacts): string {
  const rows = [
    ['API', facts.baseUrl],
    ['Console', `${facts.baseUrl}/console`],
    ...(facts.signInLink ? [['Sign-in link', facts.signInLink]] : []),
    ['Documentation', `${facts.baseUrl}/docs`],
    ...facts.metrics.map(({ name, url }) => [`Metrics, ${name}`, url]),
    ['Demo organization', facts.demo?.org_id ?? 'none, see above'],
    ...(facts.demo ? rowsOf(facts.demo) : []),
    ['Admin token', facts.adminToken],
    ['Data', shown(facts.dataDir)],
    ...(facts.postgresDirectory ? [['Database files', facts.postgresDirectory]] : []),
    ['Mails', shown(facts.mailTarget)],
    ...(facts.trustedHosts.length > 0 ? [['Trusted hosts', facts.trustedHosts.join(', ')]] : []),
  ]
  const table = rows.map(([name, value]) => `  ${name!.padEnd(18)} ${value}`).join('\n')
  const paste = facts.demo ? `\n  Create an agent:\n\n${curl(facts.baseUrl, facts.demo.api_key)}\n` : ''
  return `\n  agent-calendar is running.\n\n${table}\n${paste}\n  Ctrl-C stops everything; the data stays.\n`
}

const rowsOf = ({ api_key, email, password }: Demo): string[][] => [
  ['Its key', api_key],
  ['Its owner', email],
  ['Password', password],
]

/** Relative to where the person is, when that is shorter. */
function shown(path: string): string {
  if (!path.startsWith('/')) return path
  const short = relative(process.cwd(), path)
  return short && !short.startsWith('..') ? short : path
}

const curl = (baseUrl: string, key: string) =>
  [
    `  curl -X POST ${baseUrl}/v1/agents \\`,
    `    -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"name":"My first agent","type":"ai"}'; echo`,
  ].join('\n')
