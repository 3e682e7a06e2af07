// Prints the generated part of the TypeScript client: types, a table of the operations, and one class for each group.

import { clientOperations, type Document, type Operation, type Schema } from '../../api/openapi/clientOperations.ts'
import { camelCase, capitalized, errorNames } from './errorNames.ts'
import { readDocument } from './readDocument.ts'
import { comment, isBoolean, isList, keyOf, typeOf } from './schemaType.ts'

const folder = 'clients/typescript/src/generated'
const head = '// Made from the API document by `npm run reference`. Do not edit.\n'

/** Each file, and the function that makes its text. */
export function typescriptFiles(): Record<string, string> {
  const document = readDocument()
  const all = clientOperations(document)
  const groups = Map.groupBy(all, ({ group }) => group)
  return {
    [`${folder}/schemas.ts`]: schemas(document, all),
    [`${folder}/errors.ts`]: errorClasses(document),
    [`${folder}/operations.ts`]: operationTable(all, Object.keys(document.webhooks)),
    [`${folder}/groups.ts`]: groupTable([...groups.keys()]),
    ...Object.fromEntries([...groups].map(([group, members]) => [`${folder}/${group}.ts`, groupFile(group, members)])),
  }
}

function schemas(document: Document, all: readonly Operation[]): string {
  const sent = new Set(all.flatMap(({ body }) => (body?.$ref ? [body.$ref.split('/').at(-1)!] : [])))
  const names = new Set<string>()
  const types = Object.entries(document.components.schemas).map(([name, schema]) => {
    const type = typeOf(schema, sent.has(name) ? 'sent' : 'answered', names)
    return `${comment(schema, '')}export type ${name} = ${type}\n`
  })
  const payloads = Object.entries(document.webhooks).map(([type, { post }]) => {
    const payload = typeOf(post.requestBody!.content['application/json']!.schema, 'answered', names, '  ')
    return `  /** ${post.summary}. */\n  ${keyOf(type)}: ${payload}`
  })
  return [
    `${head}import type { Moment } from '../localTime.ts'\n`,
    ...types,
    "export type ErrorType = Error['error']['type']\n",
    "export type ErrorCode = NonNullable<Error['error']['code']>\n",
    `/** The payload of each type of webhook event. */\nexport type WebhookPayloads = {\n${payloads.join('\n')}\n}\n`,
  ].join('\n')
}

function errorClasses(document: Document): string {
  const names = errorNames(document)
  const classes = [...new Set(names.values())].map(
    (name) => `export class ${name} extends ApiError {\n  override name = '${name}'\n}\n`,
  )
  const rows = [...names].map(([type, name]) => `  ${type}: ${name},\n`)
  return [
    `${head}import { ApiError, type ApiErrorClass } from '../apiError.ts'\nimport type { ErrorType } from './schemas.ts'\n`,
    ...classes,
    `/** The class of each type of error. */\nexport const errorClasses: Record<ErrorType, ApiErrorClass> = {\n${rows.join('')}}\n`,
  ].join('\n')
}

function operationTable(all: readonly Operation[], webhookTypes: readonly string[]): string {
  const rows = all.map((one) => {
    const fields: [string, unknown][] = [
      ['id', one.id],
      ['group', one.group],
      ['name', one.method],
      ['http', one.http],
      ['path', one.path],
      ['query', one.query.map(({ name }) => name)],
      ['answer', one.answer],
      ['accept', one.contentType],
      ['hasBody', one.body !== undefined],
      ['keyed', one.keyed],
      ['paging', one.paging ?? 'none'],
    ]
    return `  ${one.id}: { ${fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')} },\n`
  })
  return [
    `${head}import type { OperationSpec } from '../operation.ts'\n`,
    `/** Every type of webhook event. */\nexport const webhookTypes = ${JSON.stringify(webhookTypes)} as const\n`,
    `export const operations = {\n${rows.join('')}} as const satisfies Record<string, OperationSpec>\n`,
  ].join('\n')
}

function groupTable(groups: readonly string[]): string {
  const imports = groups.map((group) => `import { ${className(group)} } from './${group}.ts'\n`)
  const fields = groups.map((group) => `  readonly ${group}: ${className(group)}\n`)
  const made = groups.map((group) => `    this.${group} = new ${className(group)}(send)\n`)
  return [
    `${head}import type { Send } from '../group.ts'\n${imports.join('')}`,
    `/** Every operation of the API, grouped by noun. */\nexport class Groups {\n${fields.join('')}\n  constructor(send: Send) {\n${made.join('')}  }\n}\n`,
  ].join('\n')
}

function groupFile(group: string, members: readonly Operation[]): string {
  const names = new Set<string>()
  const types = members.flatMap((one) => argumentTypes(one, names))
  const methods = members.map((one) => methodOf(one, names))
  const text = [...types, `export class ${className(group)} extends Group {\n${methods.join('\n')}}\n`].join('\n')
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  const from = (path: string, wanted: readonly string[]) => {
    const used = wanted.filter(uses)
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${path}'\n` : ''
  }
  return [
    head,
    from('../call.ts', ['Call', 'PagedCall']),
    "import { Group } from '../group.ts'\n",
    from('../localTime.ts', ['Moment', 'WithLocal']),
    from('../operation.ts', ['ReadOptions', 'Redirect', 'WriteOptions']),
    "import { operations } from './operations.ts'\n",
    from('./schemas.ts', [...names].sort()),
    `\n${text}`,
  ].join('')
}

const className = (group: string) => `${capitalized(group)}Group`
const bodyName = (one: Operation) => `${capitalized(one.id)}Body`
const optionsName = (one: Operation) => `${capitalized(one.id)}Options`

function argumentTypes(one: Operation, names: Set<string>): string[] {
  const body = one.body ? [`export type ${bodyName(one)} = ${typeOf(one.body, 'sent', names)}\n`] : []
  const fields = one.query.map(({ name, required, description, schema }) => {
    const type = queryType(schema, names)
    return `${comment({ description, deprecated: schema.deprecated }, '  ')}  ${keyOf(name)}${required ? '' : '?'}: ${type}\n`
  })
  if (one.ifMatch)
    fields.push(
      '  /** The tag of the record as you saw it: with another one nothing is changed. */\n  ifMatch?: string\n',
    )
  if (one.ifNoneMatch && one.http === 'GET')
    fields.push(
      '  /** The tag that you have: the answer is `undefined` while it is the current one. */\n  ifNoneMatch?: string\n',
    )
  if (one.ifNoneMatch && one.http !== 'GET')
    fields.push('  /** `*`: only if none exists yet. */\n  ifNoneMatch?: string\n')
  const base = one.keyed ? 'WriteOptions' : 'ReadOptions'
  const type = fields.length > 0 ? `${base} & {\n${fields.join('')}}` : base
  return [...body, `export type ${optionsName(one)} = ${type}\n`]
}

const queryType = (schema: Schema, names: Set<string>) =>
  isBoolean(schema) ? 'boolean' : isList(schema) ? 'string | readonly string[]' : typeOf(schema, 'sent', names)

/** One signature for each form of the answer that an option selects, the usual one last. */
function methodOf(one: Operation, names: Set<string>): string {
  const said = [`${one.summary}.`, '', one.description, '', `\`${one.http} ${one.path}\``].join('\n')
  const result = resultType(one, names)
  const given = [
    ...one.pathParams.map(({ name }) => `${camelCase(name)}: string`),
    ...(one.body ? [`body: ${bodyName(one)}`] : []),
  ]
  const isNeeded = one.query.some(({ required }) => required)
  const options = optionsName(one)
  const signatures: [more: string, answer: string][] = []
  const has = (name: string) => one.query.some((parameter) => parameter.name === name)
  if (has('dry_run')) {
    names.add('DryRun')
    signatures.push(['{ dry_run: true }', 'Call<DryRun>'])
  }
  if (one.ifNoneMatch && one.http === 'GET') signatures.push(['{ ifNoneMatch: string }', `Call<${result} | undefined>`])
  if (has('view')) signatures.push(["{ view: 'local' }", callOf(one, names, `WithLocal<${result}>`, true)])
  const usual = callOf(one, names, result, false)
  const lines = signatures.map(
    ([more, answer]) => `  ${one.method}(${[...given, `options: ${options} & ${more}`].join(', ')}): ${answer}\n`,
  )
  const last = `  ${one.method}(${[...given, `options${isNeeded ? '' : '?'}: ${options}`].join(', ')}): ${usual}`
  const send = one.paging ? 'sendPaged' : 'send'
  const path = `{ ${one.pathParams.map(({ name }) => (camelCase(name) === name ? name : `${name}: ${camelCase(name)}`)).join(', ')} }`
  const body = `return this.${send}(operations.${one.id}, ${path.replace('{  }', '{}')}, ${one.body ? 'body' : 'undefined'}, options)`
  const implementation =
    lines.length > 0
      ? `${last}\n  ${one.method}(${[...given, `options${isNeeded ? '' : '?'}: ${options}`].join(', ')}): ${one.paging ? 'PagedCall<any, any>' : 'Call<any>'} {\n    ${body}\n  }\n`
      : `${last} {\n    ${body}\n  }\n`
  return `${comment({ description: said }, '  ')}${lines.join('')}${implementation}`
}

function callOf(one: Operation, names: Set<string>, result: string, isLocal: boolean): string {
  if (!one.paging) return `Call<${result}>`
  const item = typeOf(one.result!.properties!.data!.items!, 'answered', names)
  return `PagedCall<${isLocal ? `WithLocal<${item}>` : item}, ${result}>`
}

function resultType(one: Operation, names: Set<string>): string {
  if (one.answer === 'text') return 'string'
  if (one.answer === 'stream') return 'ReadableStream<Uint8Array>'
  if (one.answer === 'redirect') return 'Redirect'
  if (one.answer === 'nothing') return 'void'
  return typeOf(one.result!, 'answered', names, '  ')
}
