// One operation as a command: words and options in, an answer out.
import { readFileSync } from 'node:fs'
import type { AgentCalendar, PagedCall } from '../../typescript/src/entry.ts'
import type { CommandSpec } from './commandSpec.ts'
import { UsageError } from './failures.ts'
import { type Global, printResult, progress, say } from './output.ts'
import { askSecret } from './prompt.ts'
import { listIn } from './show.ts'
import { jsonOf, readValue } from './values.ts'

export type Given = Global & {
  body?: string
  all?: boolean
  idempotencyKey?: string
  ifMatch?: string
} & Record<string, unknown>

type Method = (...given: unknown[]) => PromiseLike<unknown>

export async function runOperation(
  calendar: AgentCalendar,
  spec: CommandSpec,
  words: readonly string[],
  given: Given,
): Promise<void> {
  const { body, query } = await read(spec, given)
  const options = {
    ...query,
    ...(given.idempotencyKey && { idempotencyKey: given.idempotencyKey }),
    ...(given.ifMatch && { ifMatch: given.ifMatch }),
  }
  const group = (calendar as unknown as Record<string, Record<string, Method>>)[spec.group]!
  const call = group[spec.name]!(...words, ...(spec.hasBody ? [body] : []), options)
  if (spec.paging !== 'none' && given.all) return printAll(call as PagedCall<unknown, unknown>, given)
  const answer = await call
  printResult(answer, given, 'Done.')
  if (!given.json) sayMore(spec, answer)
}

/** The given values, in the places where the operation takes them. */
async function read(spec: CommandSpec, given: Given): Promise<{ body: object; query: Record<string, unknown> }> {
  const whole = given.body === undefined ? {} : jsonOf('--body', textOf(given.body))
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new UsageError('--body is an object of JSON.')
  const body: Record<string, unknown> = { ...whole }
  const query: Record<string, unknown> = {}
  for (const option of spec.options) {
    const text = given[option.name] as string | boolean | undefined
    const place = option.place === 'body' ? body : query
    if (text !== undefined) place[option.name] = readValue(option, text)
    if (place[option.name] !== undefined || !option.required) continue
    if (!option.isSecret) continue
    place[option.name] = await askSecret(`${option.name}: `)
  }
  const missing = spec.options
    .filter(({ name, place, required }) => required && (place === 'body' ? body : query)[name] === undefined)
    .map(({ flag }) => `--${flag}`)
  if (missing.length > 0) {
    throw new UsageError(`This needs ${missing.join(' and ')}.\nFor example: ${spec.example}`)
  }
  return { body, query }
}

/** `-` is standard input, `@file` a file. */
function textOf(given: string): string {
  const file = given === '-' ? 0 : given.startsWith('@') ? given.slice(1) : undefined
  if (file === undefined) return given
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${given} cannot be read: ${(error as Error).message}`)
  }
}

async function printAll(call: PagedCall<unknown, unknown>, given: Given): Promise<void> {
  const items: unknown[] = []
  for await (const page of call.pages()) {
    items.push(...(page as { data: unknown[] }).data)
    const { total } = page as { total?: number }
    progress(`${items.length}${total === undefined ? '' : ` of ${total}`}`)
  }
  progress('')
  printResult(items, given, '')
}

function sayMore(spec: CommandSpec, answer: unknown): void {
  if (spec.paging === 'none' || typeof answer !== 'object' || answer === null) return
  const shown = listIn(answer as Record<string, unknown>)?.length ?? 0
  const { total, pagination } = answer as { total?: number; pagination?: { next_cursor?: string | null } }
  if (total !== undefined && shown < total) say(`${shown} of ${total}. Add --all for all of them.`)
  if (pagination?.next_cursor) say('There is more. Add --all for all of it.')
}
