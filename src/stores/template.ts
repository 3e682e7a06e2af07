// The text of a statement: a template, the templates inside it, and the values that Postgres gets apart from the text.

/** A part of a statement, or a whole one. Parts are embedded in others, alone or as a list. */
export class Template {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** The name of a table or a column, or a list of them. */
export class Identifier {
  readonly text: string
  constructor(names: string | readonly string[]) {
    this.text = [names].flat().map(quoted).join(',')
  }
}

/** One new row: its columns and their values. */
export class NewRow {
  readonly columns: Readonly<Record<string, unknown>>
  constructor(columns: Readonly<Record<string, unknown>>) {
    this.columns = columns
  }
}

/** A value that is stored as jsonb. */
export class Json {
  readonly content: unknown
  constructor(content: unknown) {
    this.content = content
  }
}

/** Takes the rows as they come, this many at once. */
export type Cursor = { rowsAtOnce: number; each(rows: readonly unknown[]): void }

export type Compiled = {
  text: string
  values: unknown[]
  cursor?: Cursor | undefined
  /** Of every row that comes. */
  isAskedFor?: ((row: unknown) => boolean) | undefined
  /** In the simple protocol, which takes several statements and no values. */
  isSimple?: boolean
}

/** Throws when a value is undefined: a forgotten field is no null. */
export function compile(template: Template): Compiled {
  const values: unknown[] = []
  return { text: textOf(template, values), values }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const isList = (value: unknown): value is Template[] => Array.isArray(value) && value[0] instanceof Template

function textOf({ strings, values: parts }: Template, values: unknown[]): string {
  let text = strings[0]!
  for (let nth = 0; nth < parts.length; nth++) text += partOf(parts[nth], values) + strings[nth + 1]
  return text
}

function partOf(part: unknown, values: unknown[]): string {
  if (part instanceof Template) return textOf(part, values)
  if (part instanceof Identifier) return part.text
  if (isList(part)) return part.map((one) => textOf(one, values)).join(' ')
  if (part instanceof NewRow) {
    const columns = Object.entries(part.columns)
    const pieces = columns.map(([, value]) => partOf(value, values))
    return `(${columns.map(([name]) => quoted(name)).join(',')}) values (${pieces.join(',')})`
  }
  if (part === undefined) throw new TypeError('a statement was given undefined as a value')
  return `$${values.push(part)}`
}
