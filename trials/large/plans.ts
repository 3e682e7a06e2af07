// The reads of statements, from the plans that auto_explain writes to the log of Postgres; and which statements read more
// in a large installation than in a small one.

// biome-ignore lint/suspicious/noExplicitAny: Postgres' own form
type Plan = any

type Explained = { text: string; plan: Plan }

/** Rows and pages of some nodes, per execution of their statement. */
type Read = { rows: number; pages: number }
/** A statement by its text. `tables`: those that it reads or writes. */
type Statement = { text: string; executions: number; tables: Map<string, Read>; tree: string[] }

/** Settings with which a server explains to its log, once it is asked to (`explaining`). */
export const explainSettings = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_parameter_max_length': 0,
}

/** The plans of a log: each is a line that ends with `plan:`, with lines behind it that begin with a tab. */
export function plansIn(log: string): Explained[] {
  const found: Explained[] = []
  for (const part of log.split(/^.*duration: [\d.]+ ms {2}plan:\n/m).slice(1)) {
    const json = /^(?:\t.*\n?)+/.exec(part)?.[0]
    if (!json) continue
    const { 'Query Text': text, Plan: plan } = JSON.parse(json.replace(/^\t/gm, ''))
    found.push({ text: text.replace(/\s+/g, ' ').trim(), plan })
  }
  return found
}

/** Reads of one table count together, because the two installations may read it by different indexes. */
const tableOf = (node: Plan): string | undefined => node['Relation Name'] ?? node['Index Name']

const labelOf = (node: Plan): string => {
  const name = node['Index Name'] ? ` using ${node['Index Name']}` : ''
  const relation = node['Relation Name'] ? ` on ${node['Relation Name']}` : ''
  const part = node['CTE Name'] ? ` of ${node['CTE Name']}` : ''
  return `${node['Node Type']}${name}${relation}${part}`
}

const pagesOf = (node: Plan): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)
const rowsOf = (node: Plan): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0)

function* nodesOf(node: Plan, depth = 0): Generator<{ node: Plan; depth: number; read: Read }> {
  const children: Plan[] = node.Plans ?? []
  const below = children.reduce((sum, child) => sum + pagesOf(child), 0)
  yield { node, depth, read: { rows: rowsOf(node), pages: Math.max(0, pagesOf(node) - below) } }
  for (const child of children) yield* nodesOf(child, depth + 1)
}

/** By their texts. `tree`: the nodes that read, of the execution that read most pages. */
export function statementsOf(explained: readonly Explained[]): Map<string, Statement> {
  const statements = new Map<string, Statement>()
  for (const [text, executions] of Map.groupBy(explained, (one) => one.text)) {
    const tables = new Map<string, Read>()
    for (const { plan } of executions) {
      for (const { node, read } of nodesOf(plan)) {
        const table = tableOf(node)
        if (table === undefined) continue
        const sum = tables.get(table) ?? { rows: 0, pages: 0 }
        const each = (total: number, more: number) => total + more / executions.length
        tables.set(table, { rows: each(sum.rows, read.rows), pages: each(sum.pages, read.pages) })
      }
    }
    const costliest = executions.reduce((most, one) => (pagesOf(one.plan) > pagesOf(most.plan) ? one : most))
    const tree = [...nodesOf(costliest.plan)].flatMap(({ node, depth, read }) =>
      read.pages > 0 || read.rows > 1 ? [`${'  '.repeat(depth)}${labelOf(node)}: ${shown(read)}`] : [],
    )
    statements.set(text, { text, executions: executions.length, tables, tree })
  }
  return statements
}

const figure = (value: number) => (value >= 10 ? Math.round(value).toLocaleString('en') : `${Number(value.toFixed(1))}`)
const shown = ({ rows, pages }: Read) => `${figure(rows)} rows, ${figure(pages)} pages`

/** One more level of an index is a page more for each row that is looked up, and is not called growth. */
const isMore = (large: number, small: number, slack: number) => large > small * 1.2 + slack
const slack = { rows: 2, pages: 2 }
const nothing: Read = { rows: 0, pages: 0 }

type Growth = { text: string; lines: string[]; tree: string[] }

/** The service writes back counts now and then, on one side or the other. */
const fewExecutions = 2

/** The statements that read more or run more often in the large installation, and those that run there alone. */
export function growthOf(large: Map<string, Statement>, small: Map<string, Statement>): Growth[] {
  return [...large.values()].flatMap(({ text, executions, tables, tree }) => {
    const before = small.get(text)
    if (!before) {
      return executions > fewExecutions ? [{ text, lines: ['only in the large installation'], tree }] : []
    }
    const isOftener = isMore(executions, before.executions, fewExecutions)
    const oftener = isOftener ? [`executions: ${before.executions} → ${executions}`] : []
    const more = [...tables].flatMap(([table, now]) => {
      const then = before.tables.get(table) ?? nothing
      const grows = isMore(now.rows, then.rows, slack.rows) || isMore(now.pages, then.pages, slack.pages)
      return grows ? [`${table}: ${shown(then)} → ${shown(now)}`] : []
    })
    const lines = [...oftener, ...more]
    return lines.length > 0 ? [{ text, lines, tree }] : []
  })
}

/** Pages of all statements together. */
export const pagesRead = (explained: readonly Explained[]): number =>
  explained.reduce((sum, { plan }) => sum + pagesOf(plan), 0)

const maxText = 160

/** `isWhole`: with the whole plan. */
export const shownGrowth = ({ text, lines, tree }: Growth, isWhole: boolean): string =>
  [
    `  ${text.length > maxText ? `${text.slice(0, maxText)}…` : text}`,
    ...lines.map((line) => `    grows: ${line}`),
    ...(isWhole ? tree.map((line) => `      ${line}`) : []),
  ].join('\n')
