// Prints a group of operations: the parameters of each, and a method for it.

import type { Operation } from '../../api/openapi/clientOperations.ts'
import { pythonName } from '../../api/openapi/pythonName.ts'
import { capitalized } from './errorNames.ts'
import { comment, type Definitions, docstring, pascalCase, pythonType } from './pythonType.ts'
import { isBoolean, isList } from './schemaType.ts'

export const className = (group: string): string => `${pascalCase(group)}Group`

export function groupClass(group: string, members: readonly Operation[], made: Definitions): string {
  const methods = members.map((one) => methodOf(one, made))
  return `class ${className(group)}(Group):\n${methods.join('\n')}`
}

/** One signature for each form of the answer that an option selects, the usual one last. */
function methodOf(one: Operation, made: Definitions): string {
  const name = pythonName(one.method)
  const body = one.body && bodyType(one, made)
  const options = optionsType(one, made)
  const result = resultType(one, made)
  const given = [
    'self',
    ...one.pathParams.map((path) => `${pythonName(path.name)}: str`),
    ...(body ? [`body: ${body}`] : []),
  ]
  const switched = switches(one, result, made)
  const signature = (first: readonly string[], kind: string, answer: string) =>
    `    def ${name}(${[...given, ...(first.length > 0 ? ['*', ...first] : []), `**options: ${kind}`].join(', ')}) -> ${answer}:`
  const said = [`${one.summary}.`, '', one.description, '', `\`${one.http} ${one.path}\``].join('\n')
  const path = `{${one.pathParams.map((param) => `"${param.name}": ${pythonName(param.name)}`).join(', ')}}`
  const all = switched ? `{**options, "${switched.name}": ${switched.value}}` : 'options'
  const call = one.paging
    ? `self._paged(operations.${pythonName(one.id)}, ${path}, ${all})`
    : `self._call(operations.${pythonName(one.id)}, ${path}, ${body ? 'body' : 'None'}, ${all})`
  const overloads = (switched?.signatures ?? []).map(
    ([first, answer]) => `    @overload\n${signature([first], `Unpack[${options}]`, answer)} ...\n`,
  )
  const own = switched ? signature([switched.own], 'Any', 'Any') : signature([], `Unpack[${options}]`, result)
  return `${overloads.join('\n')}${overloads.length > 0 ? '\n' : ''}${own}\n${docstring(said, '        ')}        return ${call}\n`
}

type Switch = { name: string; value: string; own: string; signatures: [first: string, answer: string][] }

/** The option that changes the call's result. */
function switches(one: Operation, result: string, made: Definitions): Switch | undefined {
  if (one.query.some(({ name }) => name === 'dry_run')) {
    made.components.add('DryRun')
    const signatures: Switch['signatures'] = [
      ['dry_run: Literal[True]', 'DryRun'],
      ['dry_run: Literal[False] = False', result],
    ]
    return { name: 'dry_run', value: 'dry_run or None', own: 'dry_run: bool = False', signatures }
  }
  if (!asksForChange(one)) return undefined
  const signatures: Switch['signatures'] = [
    ['if_none_match: str', `${result} | None`],
    ['if_none_match: None = None', result],
  ]
  return { name: 'if_none_match', value: 'if_none_match', own: 'if_none_match: str | None = None', signatures }
}

const asksForChange = ({ ifNoneMatch, http }: Operation) => ifNoneMatch && http === 'GET'

function bodyType(one: Operation, made: Definitions): string {
  return pythonType(one.body!, 'sent', `${capitalized(one.id)}Body`, made)
}

function optionsType(one: Operation, made: Definitions): string {
  const base = one.keyed ? 'WriteOptions' : 'ReadOptions'
  const fields = one.query
    .filter(({ name }) => name !== 'dry_run')
    .map(({ name, required, description, schema }) => {
      const type = isBoolean(schema)
        ? 'bool'
        : isList(schema)
          ? 'str | Sequence[str]'
          : pythonType(schema, 'sent', `${capitalized(one.id)}${pascalCase(name)}`, made)
      return `${comment({ description })}    ${pythonName(name)}: ${required ? `Required[${type}]` : type}\n`
    })
  if (one.ifMatch)
    fields.push('    #: The tag of the record as you saw it: with another one nothing is changed.\n    if_match: str\n')
  if (one.ifNoneMatch && !asksForChange(one))
    fields.push('    #: `*`: only if none exists yet.\n    if_none_match: str\n')
  if (fields.length === 0) return base
  const name = `${capitalized(one.id)}Options`
  made.texts.push(`class ${name}(${base}, total=False):\n${fields.join('')}`)
  return name
}

const plainAnswers = { text: 'str', stream: 'HTTPResponse', redirect: 'Redirect', nothing: 'None' } as const

function resultType(one: Operation, made: Definitions): string {
  if (one.answer !== 'json') return plainAnswers[one.answer]
  const name = `${capitalized(one.id)}${one.paging ? 'Page' : 'Answer'}`
  const result = pythonType(one.result!, 'answered', name, made)
  if (!one.paging) return result
  const item = pythonType(one.result!.properties!.data!.items!, 'answered', `${name}DataItem`, openScratch(made))
  return `Paged[${item}, ${result}]`
}

/** The page has defined its items already. */
const openScratch = ({ components }: Definitions): Definitions => ({ texts: [], components })
