// Prints the table of commands from which the command line is built.
import { tagDescriptions } from '../../api/openapi/about.ts'
import { clientOperations, type Operation, type Schema } from '../../api/openapi/clientOperations.ts'
import { readDocument } from './readDocument.ts'
import { isBoolean, isList } from './schemaType.ts'

const file = 'clients/cli/src/generated/commands.ts'

export function commandFiles(): Record<string, string> {
  const all = clientOperations(readDocument()).filter(isCommand)
  // The first operation of a group decides the description of the group.
  const nouns = new Map<string, string>()
  for (const { group, tag } of all) if (!nouns.has(kebab(group))) nouns.set(kebab(group), tagDescriptions[tag] ?? tag)
  const text = [
    '// Made from the API document by `npm run reference`. Do not edit.',
    "import type { CommandSpec } from '../commandSpec.ts'",
    '',
    '/** The subject of each group of commands. */',
    `export const nouns: Record<string, string> = ${JSON.stringify(Object.fromEntries(nouns), null, 2)}`,
    '',
    `export const commands: readonly CommandSpec[] = [\n${all.map((one) => `  ${JSON.stringify(commandOf(one))},\n`).join('')}]`,
    '',
  ]
  return { [file]: text.join('\n') }
}

/** Pages for browsers and streams are not commands. */
const isCommand = ({ contentType, answer, group }: Operation) =>
  contentType !== 'text/html' && answer !== 'stream' && answer !== 'redirect' && group !== 'connectPages'

const kebab = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase()

function commandOf(one: Operation) {
  const fields = Object.entries(one.body?.properties ?? {})
  const required = one.body?.required ?? []
  return {
    id: one.id,
    noun: kebab(one.group),
    verb: kebab(one.method),
    group: one.group,
    name: one.method,
    summary: one.summary,
    description: plainText(one.description),
    words: one.pathParams.map(({ name, description }) => ({ name, ...(description && { description }) })),
    options: [
      ...fields.map(([name, schema]) => optionOf(name, 'body', schema, required.includes(name))),
      ...one.query.map(({ name, schema, description, required: isNeeded }) =>
        optionOf(name, 'query', { ...schema, description }, isNeeded === true),
      ),
    ],
    hasBody: one.body !== undefined,
    paging: one.paging ?? 'none',
    isRead: one.http === 'GET',
    keyed: one.keyed,
    ifMatch: one.ifMatch,
    example: exampleOf(one),
  }
}

function optionOf(name: string, place: 'body' | 'query', schema: Schema, required: boolean) {
  const { kind, choices, isNullable } = kindOf(schema)
  return {
    flag: kebab(name),
    name,
    place,
    kind,
    required,
    ...(choices && { choices }),
    ...(isNullable && { isNullable }),
    ...(schema.format === 'date-time' && { isTime: true }),
    ...(schema.description && { description: plainText(schema.description) }),
    ...(/^(password|otp)$/.test(name) && { isSecret: true }),
  }
}

type Kind = 'text' | 'number' | 'boolean' | 'list' | 'numbers' | 'json'

function kindOf(schema: Schema): { kind: Kind; choices?: string[]; isNullable?: true } {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const some = choices.filter(({ type }) => type !== 'null')
    if (some.length !== 1) return { kind: 'json' }
    return { ...kindOf(some[0]!), ...(some.length < choices.length && { isNullable: true as const }) }
  }
  const types = [schema.type ?? 'object'].flat()
  const type = types.find((one) => one !== 'null')
  const isNullable = types.includes('null') ? { isNullable: true as const } : {}
  if (isBoolean(schema) || type === 'boolean') return { kind: 'boolean', ...isNullable }
  if (isList(schema)) return { kind: 'list' }
  const values = schema.enum?.filter((value) => typeof value === 'string')
  if (type === 'integer' || type === 'number') return { kind: 'number', ...isNullable }
  if (type === 'string') return { kind: 'text', ...(values && { choices: values as string[] }), ...isNullable }
  if (type !== 'array') return { kind: 'json', ...isNullable }
  const item = kindOf(schema.items ?? {})
  if (item.kind === 'number') return { kind: 'numbers', ...isNullable }
  return item.kind === 'text'
    ? { kind: 'list', ...(item.choices && { choices: item.choices }), ...isNullable }
    : { kind: 'json', ...isNullable }
}

/** A terminal shows the text without the marks of Markdown. */
const plainText = (text: string) => text.replaceAll('**', '').replaceAll('`', '')

function exampleOf(one: Operation): string {
  const words = one.pathParams.map(({ name, schema }) => {
    const examples = (schema as { examples?: unknown[]; example?: unknown }).examples ?? [schema.example]
    return String(examples[0] ?? `<${kebab(name)}>`)
  })
  const body = one.body?.example as Record<string, unknown> | undefined
  const needed = one.query.flatMap(({ name, required, schema }) =>
    required && schema.example !== undefined ? [[name, schema.example] as const] : [],
  )
  const flags = [...Object.entries(body ?? {}), ...needed]
    .filter(([name]) => !/^(password|otp)$/.test(name))
    .map(([name, value]) => `--${kebab(name)} ${quoted(value)}`)
  return ['agent-calendar', kebab(one.group), kebab(one.method), ...words, ...flags].join(' ')
}

function quoted(value: unknown): string {
  const isFlat = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  const text = isFlat ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[\w.:@/,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
