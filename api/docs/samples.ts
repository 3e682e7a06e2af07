// One request of an operation in each language: with its example, and only what it must have.
import { type ApiDocument, exampleBody, type Operation, type Parameter } from './operations.ts'

type Sample = { lang: string; label: string; source: string }

export function samplesOf(method: string, path: string, operation: Operation, api: ApiDocument): Sample[] {
  const address = `${api.servers[0]!.url}${addressOf(path, operation.parameters ?? [])}`
  const body = exampleBody(operation, api)
  const needsKey = (operation.security ?? []).length > 0
  return [
    { lang: 'curl', label: 'curl', source: curl(method, address, needsKey, body) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(method, address, needsKey, body) },
    { lang: 'python', label: 'Python', source: python(method, address, needsKey, body) },
  ]
}

const exampleOf = ({ name, schema }: Parameter): string =>
  String(schema?.example ?? schema?.examples?.[0] ?? `<${name}>`)

function addressOf(path: string, parameters: readonly Parameter[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return parameter ? encodeURIComponent(exampleOf(parameter)) : `<${name}>`
  })
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`)
  return [filled, query.join('&')].filter(Boolean).join('?')
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

function curl(method: string, address: string, needsKey: boolean, body: unknown): string {
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}'${address}'`,
    ...(needsKey ? [`-H "Authorization: Bearer $KEY"`] : []),
    ...(body
      ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]
      : []),
  ]
  return lines.join(' \\\n  ')
}

function typescript(method: string, address: string, needsKey: boolean, body: unknown): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(needsKey || body
      ? [
          'headers: {',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has the template
          ...(needsKey ? ['  Authorization: `Bearer ${process.env.KEY}`,'] : []),
          ...(body ? ["  'Content-Type': 'application/json',"] : []),
          '},',
        ]
      : []),
    ...(body ? [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),`] : []),
  ]
  const given = options.length > 0 ? `, {\n${options.map((line) => `  ${line}`).join('\n')}\n}` : ''
  return `const response = await fetch('${address}'${given})\nif (!response.ok) throw new Error((await response.json()).error.message)\nconsole.log(await response.text())`
}

function python(method: string, address: string, needsKey: boolean, body: unknown): string {
  const headers = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ]
  return [
    `import ${[...(body ? ['json'] : []), ...(needsKey ? ['os'] : [])].join(', ') || 'urllib.error'}`,
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${address}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    data=json.dumps(${indented(pythonValue(body), '    ')}).encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n')
}

/** JSON with the three words that Python spells differently. No word inside a string is touched. */
const pythonValue = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (word) =>
    word === 'true' ? 'True' : word === 'false' ? 'False' : word === 'null' ? 'None' : word,
  )
