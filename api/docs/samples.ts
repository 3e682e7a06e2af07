// One request of an operation for curl and for our clients: with its example, and only its required fields.
import { type Operation as ClientOperation, clientOperations, type Document } from '../openapi/clientOperations.ts'
import { pythonName } from '../openapi/pythonName.ts'
import { type ApiDocument, exampleBody, type Parameter } from './operations.ts'

type Sample = { lang: string; label: string; source: string }

/** The samples of each operation by its id. */
export function samplesOf(api: ApiDocument): Map<string, Sample[]> {
  const made = clientOperations(api as unknown as Document).map((operation): [string, Sample[]] => {
    const given = givenOf(operation, api)
    return [
      operation.id,
      [
        { lang: 'curl', label: 'curl', source: curl(operation, given) },
        { lang: 'typescript', label: 'TypeScript', source: typescript(operation, given) },
        { lang: 'python', label: 'Python', source: python(operation, given) },
      ],
    ]
  })
  return new Map(made)
}

type Given = {
  baseUrl: string
  /** The variable that has the key; undefined if the operation needs none. */
  variable: string | undefined
  path: { name: string; value: unknown }[]
  query: { name: string; value: unknown }[]
  body: unknown
}

const variables: Record<string, string> = { session: 'SESSION', administratorToken: 'ADMIN_TOKEN' }
/** The clients read it by themselves. */
const ofClients = 'AGENT_CALENDAR_KEY'

function givenOf({ http, path, pathParams, query, access }: ClientOperation, api: ApiDocument): Given {
  const value = ({ name, schema }: Parameter) => ({
    name,
    value: schema?.example ?? schema?.examples?.[0] ?? `<${name}>`,
  })
  const [first] = access
  return {
    baseUrl: api.servers[0]!.url,
    variable: first && (variables[first] ?? ofClients),
    path: pathParams.map(value),
    query: query.filter(({ required }) => required).map(value),
    body: exampleBody(api.paths[path]![http.toLowerCase()]!, api),
  }
}

function curl({ http, path, answer }: ClientOperation, { baseUrl, variable, query, body, ...given }: Given): string {
  const values = Object.fromEntries(given.path.map(({ name, value }) => [name, encodeURIComponent(String(value))]))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  const asked = query.map(({ name, value }) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  const method = http === 'GET' || (http === 'POST' && body) ? '' : `-X ${http} `
  const lines = [
    `curl ${answer === 'stream' ? '-N ' : ''}${method}'${baseUrl}${[filled, asked].filter(Boolean).join('?')}'`,
    ...(variable ? [`-H "Authorization: Bearer $${variable}"`] : []),
    ...(body
      ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]
      : []),
  ]
  return lines.join(' \\\n  ')
}

function typescript(operation: ClientOperation, { baseUrl, variable, path, query, body }: Given): string {
  const options = [
    `baseUrl: ${literal(baseUrl)}`,
    ...(variable && variable !== ofClients ? [`apiKey: process.env.${variable}`] : []),
  ]
  const words = [
    ...path.map(({ value }) => literal(value)),
    ...(body ? [literal(body)] : []),
    ...(query.length > 0 ? [literal(Object.fromEntries(query.map(({ name, value }) => [name, value])))] : []),
  ]
  const call = `calendar.${operation.group}.${operation.method}(${words.join(', ')})`
  return [
    `import { AgentCalendar } from '@agent-calendar/client'`,
    '',
    `const calendar = new AgentCalendar({ ${options.join(', ')} })`,
    ...(operation.answer === 'stream'
      ? ['for await (const step of calendar.changes.follow()) console.log(step)']
      : operation.paging
        ? [`for await (const item of ${call}) console.log(item)`]
        : [operation.answer === 'nothing' ? `await ${call}` : `console.log(await ${call})`]),
  ].join('\n')
}

/** A JSON value as TypeScript has it: names without quotes, and texts in single ones unless they have a quote themselves. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) => (/['"\\]/.test(text.slice(1, -1)) ? text : `'${text.slice(1, -1)}'`))

function python(operation: ClientOperation, { baseUrl, variable, path, query, body }: Given): string {
  const hasOther = variable !== undefined && variable !== ofClients
  const words = [
    ...path.map(({ value }) => pythonValue(value)),
    ...(body ? [pythonValue(body)] : []),
    ...query.map(({ name, value }) => `${pythonName(name)}=${pythonValue(value)}`),
  ]
  const call = `calendar.${pythonName(operation.group)}.${pythonName(operation.method)}(${words.join(', ')})`
  return [
    ...(hasOther ? ['import os', ''] : []),
    'from agent_calendar import AgentCalendar',
    '',
    `calendar = AgentCalendar(base_url="${baseUrl}"${hasOther ? `, api_key=os.environ["${variable}"]` : ''})`,
    ...(operation.answer === 'stream'
      ? ['for step in calendar.changes.follow():', '    print(step)']
      : operation.paging
        ? [`for item in ${call}:`, '    print(item)']
        : [operation.answer === 'nothing' ? call : `print(${call})`]),
  ].join('\n')
}

/** JSON with the three words that Python spells differently. No word inside a string is touched. */
const pythonValue = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (word) =>
    word === 'true' ? 'True' : word === 'false' ? 'False' : word === 'null' ? 'None' : word,
  )
