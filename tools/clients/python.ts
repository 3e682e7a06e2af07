// Prints the generated part of the Python client: types, a table of the operations, and one class for each group.

import { clientOperations, type Document, type Operation } from '../../api/openapi/clientOperations.ts'
import { pythonName } from '../../api/openapi/pythonName.ts'
import { errorNames } from './errorNames.ts'
import { className, groupClass } from './pythonGroup.ts'
import { type Definitions, docstring, openDefinitions, pascalCase, pythonType } from './pythonType.ts'
import { readDocument } from './readDocument.ts'

const folder = 'clients/python/src/agent_calendar/generated'
const head = '# Made from the API document by `npm run reference`. Do not edit.\nfrom __future__ import annotations\n'

/** Each file, and the function that makes its text. */
export function pythonFiles(): Record<string, string> {
  const document = readDocument()
  const all = clientOperations(document)
  const groups = Map.groupBy(all, ({ group }) => pythonName(group))
  return {
    [`${folder}/__init__.py`]: '# Made from the API document by `npm run reference`. Do not edit.\n',
    [`${folder}/schemas.py`]: schemas(document, all),
    [`${folder}/errors.py`]: errorClasses(document),
    [`${folder}/operations.py`]: operationTable(all),
    [`${folder}/groups.py`]: groupTable([...groups.keys()]),
    ...Object.fromEntries([...groups].map(([group, members]) => [`${folder}/${group}.py`, groupFile(group, members)])),
  }
}

function schemas(document: Document, all: readonly Operation[]): string {
  const sent = new Set(all.flatMap(({ body }) => (body?.$ref ? [body.$ref.split('/').at(-1)!] : [])))
  const made = openDefinitions()
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const type = pythonType(schema, sent.has(name) ? 'sent' : 'answered', name, made)
    if (type !== name) made.texts.push(alias(name, type))
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const name = `${pascalCase(type)}Payload`
    const payload = pythonType(post.requestBody!.content['application/json']!.schema, 'answered', name, made)
    if (payload !== name) made.texts.push(alias(name, payload))
  }
  const types = Object.keys(document.webhooks).map((type) => `"${type}"`)
  made.texts.push(`#: Every type of webhook event.\nWebhookType: TypeAlias = Literal[${types.join(', ')}]\n`)
  return fileOf(made, [])
}

const alias = (name: string, type: string) => `${name}: TypeAlias = ${JSON.stringify(type.replaceAll('"', "'"))}\n`

function errorClasses(document: Document): string {
  const names = errorNames(document)
  const distinct = [...new Set(names.values())]
  const classes = distinct.map((name) => `class ${name}(ApiError):\n    pass\n`)
  const rows = [...names].map(([type, name]) => `    "${type}": ${name},\n`)
  return [
    `${head}\nfrom ..errors import ApiError\n`,
    `__all__ = [${distinct.map((name) => `"${name}"`).join(', ')}]\n`,
    ...classes,
    `#: The class of each type of error.\nerror_classes: dict[str, type[ApiError]] = {\n${rows.join('')}}\n`,
  ].join('\n\n')
}

function operationTable(all: readonly Operation[]): string {
  const rows = all.map((one) => {
    const query = one.query.map(({ name }) => `"${name}", `).join('')
    const fields = [
      `"${pythonName(one.group)}.${pythonName(one.method)}"`,
      `"${one.http}"`,
      `"${one.path}"`,
      ...(query ? [`query=(${query.trimEnd()})`] : []),
      ...(one.answer === 'json' ? [] : [`answer="${one.answer}"`]),
      ...(one.contentType === 'application/json' ? [] : [`accept="${one.contentType}"`]),
      ...(one.keyed ? ['keyed=True'] : []),
      ...(one.paging ? [`paging="${one.paging}"`] : []),
    ]
    return `${pythonName(one.id)} = Operation(${fields.join(', ')})\n`
  })
  return `${head}\nfrom ..operation import Operation\n\n${rows.join('')}`
}

function groupTable(groups: readonly string[]): string {
  const imports = groups.map((group) => `from .${group} import ${className(group)}\n`)
  const made = groups.map((group) => `        self.${group} = ${className(group)}(send)\n`)
  return [
    `${head}\nfrom ..group import Send\n${imports.join('')}\n\n`,
    `class Groups:\n${docstring('Every operation of the API, grouped by noun.', '    ')}\n`,
    `    def __init__(self, send: Send) -> None:\n${made.join('')}`,
  ].join('')
}

function groupFile(group: string, members: readonly Operation[]): string {
  const made = openDefinitions()
  const text = groupClass(group, members, made)
  made.texts.push(text)
  return fileOf(made, [
    ['..group', ['Group']],
    ['..operation', ['ReadOptions', 'Redirect', 'WriteOptions']],
    ['..paging', ['Paged']],
    ['.', ['operations']],
    ['.schemas', [...made.components].sort()],
  ])
}

/** The definitions, under the imports that they use. */
function fileOf({ texts }: Definitions, own: readonly [from: string, names: readonly string[]][]): string {
  const text = texts.join('\n\n')
  const imports = [
    ['collections.abc', ['Mapping', 'Sequence']],
    ['http.client', ['HTTPResponse']],
    ['typing', ['Any', 'Literal', 'NotRequired', 'Required', 'TypeAlias', 'TypedDict', 'Unpack', 'overload']],
    ['..local_time', ['Moment']],
    ...own,
  ] as const
  const lines = imports.flatMap(([from, names]) => {
    const used = names.filter((name) => new RegExp(`(?<![\\w.#] ?)\\b${name}\\b`).test(text))
    return used.length > 0 ? [`from ${from} import ${used.join(', ')}\n`] : []
  })
  return `${head}\n${lines.join('')}\n\n${text}`
}
